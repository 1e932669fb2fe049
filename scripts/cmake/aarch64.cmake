# Toolchain file for 64-bit Arm on another machine: Debian's g++-aarch64-linux-gnu (or a compiler
# named by CXX), and qemu-user to run what it makes. Programs find the C library where the cross
# compiler's packages put it.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
find_program(SIGHTLINE_QEMU NAMES qemu-aarch64 qemu-aarch64-static)
if(SIGHTLINE_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${SIGHTLINE_QEMU};-L;/usr/aarch64-linux-gnu")
endif()
