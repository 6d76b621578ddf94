# Decides REPRISE_CUDA=AUTO and REPRISE_VULKAN=AUTO: whether this machine can run such kernels, and REPRISE_CPU=NATIVE:
# which instructions its processor has. It looks at files only and loads no driver. Run as a script it prints the
# answer, for scripts/demo and a test:
#
#   cmake -P scripts/cmake/RepriseMachine.cmake            "CUDA", "Vulkan", both or neither
#   cmake -DASK=cpu -P scripts/cmake/RepriseMachine.cmake  "IFMA", "ADX" (with AVX2) or nothing
#
# REPRISE_MACHINE_ROOT is prepended to every path, so that a test can describe a machine.

# reprise_machine_cuda(result): an NVIDIA GPU (desktop, Tegra, WSL) or its driver; containers may have the driver
# without device nodes.
function(reprise_machine_cuda result)
  set(root "${REPRISE_MACHINE_ROOT}")
  file(GLOB found ${root}/dev/nvidiactl ${root}/dev/nvidia[0-9]* ${root}/dev/nvgpu ${root}/proc/driver/nvidia/version
    ${root}/usr/lib/*/libcuda.so.1 ${root}/usr/lib64/libcuda.so.1 ${root}/usr/lib/libcuda.so.1
    ${root}/usr/lib/wsl/lib/libcuda.so.1 ${root}/usr/local/nvidia/lib*/libcuda.so.1)
  if(found)
    set(${result} ON PARENT_SCOPE)
  else()
    set(${result} OFF PARENT_SCOPE)
  endif()
endfunction()

# reprise_machine_vulkan(result): a GPU and a Vulkan driver for it. Mesa's packages install the drivers for GPUs of
# several makers, and a software driver, on every machine, so that a driver alone or a GPU alone does not suffice.
function(reprise_machine_vulkan result)
  set(root "${REPRISE_MACHINE_ROOT}")
  set(${result} OFF PARENT_SCOPE)
  file(GLOB manifests ${root}/usr/share/vulkan/icd.d/*.json ${root}/usr/local/share/vulkan/icd.d/*.json
    ${root}/etc/vulkan/icd.d/*.json ${root}/usr/local/etc/vulkan/icd.d/*.json
    ${root}/usr/local/nvidia/share/vulkan/icd.d/*.json)
  foreach(variable VK_DRIVER_FILES VK_ADD_DRIVER_FILES VK_ICD_FILENAMES)
    string(REPLACE ":" ";" named "$ENV{${variable}}")
    list(APPEND manifests ${named})
  endforeach()
  set(drivers)
  foreach(manifest IN LISTS manifests)
    get_filename_component(name "${manifest}" NAME)
    list(APPEND drivers ${name})
  endforeach()
  list(FILTER drivers EXCLUDE REGEX "^(lvp|lavapipe|vk_swiftshader|swiftshader)")

  # Drivers by PCI vendor number; a GPU without such a number is assumed to match any installed driver.
  set(driver_0x8086 "^intel")
  set(driver_0x1002 "^(radeon|amd)")
  set(driver_0x10de "^(nvidia|nouveau)")
  set(driver_0x1af4 "^virtio")
  set(makers)
  file(GLOB nodes ${root}/dev/dri/renderD* ${root}/dev/mali* ${root}/dev/kgsl-3d0 ${root}/dev/dxg)
  foreach(node IN LISTS nodes)
    get_filename_component(name ${node} NAME)
    set(maker any)
    if(EXISTS ${root}/sys/class/drm/${name}/device/vendor)
      file(STRINGS ${root}/sys/class/drm/${name}/device/vendor maker LIMIT_COUNT 1)
    endif()
    list(APPEND makers "${maker}")
  endforeach()
  file(GLOB nvidia ${root}/dev/nvidia[0-9]*)
  if(nvidia)
    list(APPEND makers 0x10de)
  endif()
  foreach(maker IN LISTS makers)
    set(own ${drivers})
    if(DEFINED driver_${maker})
      list(FILTER own INCLUDE REGEX "${driver_${maker}}")
    endif()
    if(own)
      set(${result} ON PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# reprise_machine_cpu(result): the strongest of the instruction sets in which kernels are written, IFMA or ADX (with
# AVX2). Empty for an x86-64 processor without them, for another architecture, and if Linux does not say.
function(reprise_machine_cpu result)
  set(${result} "" PARENT_SCOPE)
  set(flags "")
  if(EXISTS ${REPRISE_MACHINE_ROOT}/proc/cpuinfo)
    file(STRINGS ${REPRISE_MACHINE_ROOT}/proc/cpuinfo flags REGEX "^flags[ \t]*:" LIMIT_COUNT 1)
  endif()
  string(REGEX MATCHALL "[a-z0-9_]+" flags "${flags}")
  set(ADX bmi2 adx avx avx2)
  set(IFMA ${ADX} avx512f avx512dq avx512ifma avx512bw avx512vl)
  foreach(isa ADX IFMA)
    set(missing ${${isa}})
    list(REMOVE_ITEM missing ${flags})
    if(NOT missing)
      set(${result} ${isa} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  if(ASK STREQUAL cpu)
    reprise_machine_cpu(answer)
    execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${answer}")
    return()
  endif()
  reprise_machine_cuda(cuda)
  reprise_machine_vulkan(vulkan)
  set(answer)
  if(cuda)
    list(APPEND answer CUDA)
  endif()
  if(vulkan)
    list(APPEND answer Vulkan)
  endif()
  list(JOIN answer " " answer)
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${answer}")
  return()
endif()

# reprise_device_option(NAME what why how): the option REPRISE_<NAME>, which is AUTO, ON or OFF. Sets wanted_<NAME> to
# ON, OFF, or AUTO if the option is AUTO and this machine can run such kernels. If AUTO leaves them out, one line says
# why, and how to include them.
function(reprise_device_option name what why how)
  set(REPRISE_${name} AUTO CACHE STRING "${what}: AUTO (where this machine can run them), ON or OFF")
  set_property(CACHE REPRISE_${name} PROPERTY STRINGS AUTO ON OFF)
  string(TOUPPER "${REPRISE_${name}}" choice)
  if(choice MATCHES "^(ON|1|YES|TRUE|Y)$")
    set(wanted_${name} ON PARENT_SCOPE)
    return()
  endif()
  set(wanted_${name} OFF PARENT_SCOPE)
  if(choice MATCHES "^(OFF|0|NO|FALSE|N)$")
    return()
  elseif(NOT choice STREQUAL AUTO)
    message(FATAL_ERROR "REPRISE_${name} is \"${REPRISE_${name}}\": it can be AUTO, ON or OFF.")
  endif()
  set(here OFF)
  if(CMAKE_CROSSCOMPILING)
    set(why "cross-compiling")
  else()
    string(TOLOWER ${name} device)
    cmake_language(CALL reprise_machine_${device} here)
  endif()
  if(here)
    set(wanted_${name} AUTO PARENT_SCOPE)
  else()
    message(STATUS "${what}: left out, ${why}; -DREPRISE_${name}=ON compiles them all the same (needs ${how})")
  endif()
endfunction()

# reprise_device_without(NAME what missing how): reports missing tools: an error if the kernels were asked for, else one
# line.
function(reprise_device_without name what missing how)
  if(wanted_${name} STREQUAL ON)
    message(FATAL_ERROR "REPRISE_${name} is ON, but ${missing}. ${how}; or configure with -DREPRISE_${name}=OFF.")
  endif()
  message(STATUS "${what}: left out though this machine can run them, ${missing}. ${how}, and configure again.")
endfunction()

# reprise_cpu_option(result): the option REPRISE_CPU, which is ALL, NATIVE or PLAIN. Sets `result` to the instruction
# set that the kernels are compiled for, C for plain ones, or to nothing if they are compiled for all of them.
function(reprise_cpu_option result)
  set(REPRISE_CPU ALL CACHE STRING
    "Kernels for the CPU: ALL instruction sets, NATIVE: those of this processor only, PLAIN: in plain C only")
  set_property(CACHE REPRISE_CPU PROPERTY STRINGS ALL NATIVE PLAIN)
  set(${result} "" PARENT_SCOPE)
  string(TOUPPER "${REPRISE_CPU}" choice)
  if(choice STREQUAL ALL)
    return()
  elseif(choice STREQUAL PLAIN)
    set(${result} C PARENT_SCOPE)
    return()
  elseif(NOT choice STREQUAL NATIVE)
    message(FATAL_ERROR "REPRISE_CPU is \"${REPRISE_CPU}\": it can be ALL, NATIVE or PLAIN.")
  endif()
  set(isa "")
  if(NOT CMAKE_CROSSCOMPILING AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    reprise_machine_cpu(isa)
  endif()
  if(isa)
    set(${result} ${isa} PARENT_SCOPE)
    set(how "-DREPRISE_CPU=ALL compiles them for every processor")
    message(STATUS "CPU kernels: for processors with ${isa} only, as this one; ${how}")
  endif()
endfunction()
