# Builds the examples with an installed Reprise; it is installed beside them as CMakeLists.txt:
#   cmake -S /usr/local/share/doc/reprise/examples -B examples && cmake --build examples
cmake_minimum_required(VERSION 3.16)
project(reprise_examples LANGUAGES C)
find_package(Reprise REQUIRED)
foreach(name hello prove batch event_loop custom_op saved_graph batch_inverse msm_sparse halo2_quotient merkle_tree verkle_update)
  add_executable(${name} ${name}.c)
  target_link_libraries(${name} PRIVATE Reprise::shared)
endforeach()
add_executable(tables tables.c tables_spmv.c)
target_link_libraries(tables PRIVATE Reprise::shared m)
