# Cross-compiling to 64-bit ARM on Debian (gcc-aarch64-linux-gnu, libraries of the foreign architecture arm64), and
# running what was built under qemu-user: programs of the build, such as reprise_derive, and the tests.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
find_program(REPRISE_QEMU NAMES qemu-aarch64 qemu-aarch64-static REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR ${REPRISE_QEMU})
if(NOT EXISTS /lib/ld-linux-aarch64.so.1) # without Debian's libc6:arm64 there is the cross compiler's C library
  list(APPEND CMAKE_CROSSCOMPILING_EMULATOR -L /usr/aarch64-linux-gnu)
endif()
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
