#!/usr/bin/env bash
# Runs scripts/slurm_sweep.sbatch on a cluster of one node that lives as long as this script: munged,
# slurmctld and slurmd on loopback, in a folder of its own. An array of three shards and its merge,
# then ranks of MPI, give the bytes of one process; so does an array with a job that is killed and
# submitted again.
#
#   tests/slurm_test.sh PROGRAM
#
# Exit code 77 (skipped) where Slurm is not installed or this is not root, whom munged and slurmd
# want: scripts/setup.sh --more-tests installs it.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
export PATH=$PATH:/usr/sbin:/sbin
program=$(realpath "${1:?give the program sightline}")

for tool in munged slurmctld slurmd sbatch; do
  command -v $tool >/dev/null || { echo "skipped: no $tool (scripts/setup.sh --more-tests)"; exit 77; }
done
[[ $(id -u) -eq 0 ]] || { echo "skipped: munged and slurmd want root"; exit 77; }

folder=$(mktemp -d /tmp/sightline_slurm_XXXXXX)
chmod 755 "$folder"   # munged wants no folder that others may write to, and lets them in
daemons=()
finish() {
  local code=$?
  if [[ $code -ne 0 && $code -ne 77 ]]; then
    tail -n 20 "$folder"/*.log >&2 || true
  fi
  for ((i = ${#daemons[@]} - 1; i >= 0; --i)); do kill "${daemons[i]}" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT

free_port() {
  /usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

mkdir "$folder/state" "$folder/spool" "$folder/munge" "$folder/runs"
dd if=/dev/urandom of="$folder/munge/key" bs=128 count=1 status=none
chmod 400 "$folder/munge/key"
node=$(hostname -s)
cat > "$folder/slurm.conf" <<CONF
ClusterName=loopback
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
SlurmUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MinJobAge=300
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
CONF
export SLURM_CONF=$folder/slurm.conf

munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
  --pid-file="$folder/munge/pid" --seed-file="$folder/munge/seed" \
  --log-file="$folder/munge.log" >"$folder/munged.log" 2>&1 &
daemons+=($!)
for _ in {1..50}; do [[ -S $folder/munge/socket ]] && break; sleep 0.1; done
slurmctld -D >"$folder/slurmctld_out.log" 2>&1 &
daemons+=($!)
slurmd -D -N "$node" >"$folder/slurmd_out.log" 2>&1 &
daemons+=($!)
for _ in {1..100}; do
  [[ $(sinfo --noheader --format %T 2>/dev/null) == idle ]] && break
  sleep 0.2
done
[[ $(sinfo --noheader --format %T) == idle ]] || { echo "the cluster did not come up"; exit 1; }

export SIGHTLINE=$program OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMP_NUM_THREADS=1
config=$root/configs/wave_e.yaml
runs=$folder/runs
submit() { sbatch --parsable --chdir="$runs" "$@"; }
template=$root/scripts/slurm_sweep.sbatch
same() {
  for name in results.csv summary.json claims.csv; do
    cmp "$runs/whole/$name" "$1/$name"
  done
  echo "slurm_test: $2: the bytes of one process"
}

"$program" sweep "$config" --out "$runs/whole" --quiet

array=$(submit --array=1-3 "$template" "$config" "$runs/array")
submit --wait --dependency=afterok:"$array" --output="$runs/merge.log" \
  --wrap "$program merge $runs/array --quiet" >/dev/null
same "$runs/array" "an array of three"
[[ -d $runs/array/shards/3-of-3 ]]

if [[ $("$program" doctor --json | grep -c '"MPI"') -gt 0 ]] && command -v mpirun >/dev/null; then
  submit --wait --ntasks=2 --output="$runs/ranks.log" "$template" "$config" "$runs/ranks" >/dev/null
  same "$runs/ranks" "two ranks"
  [[ -d $runs/ranks/shards/2-of-2 ]]
fi

array=$(submit --array=1-2 "$template" "$config" "$runs/again")
for _ in {1..200}; do
  compgen -G "$runs/again/shards/*/manifest.json" >/dev/null && break
  sleep 0.05
done
scancel --signal=KILL --full "$array"
scancel "$array"
while [[ -n $(squeue --noheader --jobs "$array" 2>/dev/null) ]]; do sleep 0.2; done
# One task after the other, as one does with those that failed: each is the shard it was.
submit --wait --array=2 "$template" "$config" "$runs/again" >/dev/null
[[ ! -e $runs/again/run.sqlite && -d $runs/again/shards/2-of-2 ]]
array=$(submit --array=1 "$template" "$config" "$runs/again")
submit --wait --dependency=afterok:"$array" --output="$runs/merge2.log" \
  --wrap "$program merge $runs/again --quiet" >/dev/null
same "$runs/again" "an array that was killed and submitted again"
