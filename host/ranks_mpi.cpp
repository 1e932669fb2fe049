#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "host/error.h"
#include "host/ranks.h"
#include "host/ranks_launcher.h"
#include "host/ranks_node.h"
#include "host/ranks_wait.h"

namespace sightline::host {
namespace {

constexpr int kAskTag = 1, kDealTag = 2, kStopTag = 3;
constexpr double kParts = 16;  ///< of what is left to each rank: one is dealt at a time

void wait_for(MPI_Request* request, std::chrono::microseconds longest_nap = kLongestNap) {
  int done = 0;
  nap_until([&] { return MPI_Test(request, &done, MPI_STATUS_IGNORE), done != 0; }, longest_nap);
}

std::int64_t least_of_all(std::int64_t value) {
  std::int64_t least = 0;
  MPI_Request request;
  MPI_Iallreduce(&value, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD, &request);
  wait_for(&request);
  return least;
}

void start_mpi() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (provided < MPI_THREAD_SERIALIZED) {
    MPI_Finalize();
    throw EnvironmentError(
        "this MPI allows calls from one thread only; MPI_THREAD_SERIALIZED is "
        "needed");
  }
}

}  // namespace

struct Ranks::Impl {
  int rank = 0, size = 1;
  int apart = 0;  ///< not 0: this rank may be where the others do not follow
  std::unique_ptr<NodeRanks> node;

  Impl() {
    start_mpi();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    node = std::make_unique<NodeRanks>(rank);
  }

  ~Impl() {
    // Others would wait for this rank for ever.
    if (apart != 0) MPI_Abort(MPI_COMM_WORLD, 1);
    node.reset();
    MPI_Finalize();
  }
};

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int size = 0;
  MPI_Get_library_version(text.data(), &size);
  const std::string version(text.data(), static_cast<std::size_t>(size));
  // "Open MPI v4.1.4, package: ..., ident: ...": the first part is for people.
  return version.substr(0, version.find(','));
}

Ranks::Ranks() = default;
Ranks::Ranks(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Ranks::~Ranks() = default;
Ranks::Ranks(Ranks&&) noexcept = default;

Ranks Ranks::of_launcher() {
  if (launched().size == 1) return Ranks();
  Ranks ranks(std::make_unique<Impl>());
  if (ranks.size() == 1) {
    throw EnvironmentError("started as one of " + std::to_string(launched().size) +
                           " ranks, but MPI finds this one alone: the launcher is not of its kind; "
                           "use its own mpirun, or srun --mpi=pmix");
  }
  return ranks;
}

std::int64_t Ranks::rank() const { return impl_ ? impl_->rank : 0; }
std::int64_t Ranks::size() const { return impl_ ? impl_->size : 1; }
std::int64_t Ranks::node_rank() const { return impl_ ? impl_->node->rank() : 0; }
std::int64_t Ranks::node_size() const { return impl_ ? impl_->node->size() : 1; }
int Ranks::num_threads() const { return impl_ ? impl_->node->num_threads() : 0; }

void Ranks::together(const std::function<void()>& work) {
  if (!impl_) return work();
  ++impl_->apart;
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  const std::int64_t first = least_of_all(failure ? impl_->rank : impl_->size);
  --impl_->apart;
  if (first == impl_->rank) std::rethrow_exception(failure);
  if (first < impl_->size) throw OtherRankFailed();
}

std::vector<std::int64_t> Ranks::joined(const std::vector<std::int64_t>& values) {
  if (!impl_) return values;
  const auto count = static_cast<int>(values.size());
  std::vector<int> counts(static_cast<std::size_t>(impl_->size)), begins(counts.size());
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::int64_t total = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    begins[rank] = static_cast<int>(total);
    total += counts[rank];
  }
  std::vector<std::int64_t> all(static_cast<std::size_t>(total));
  MPI_Allgatherv(values.data(), count, MPI_INT64_T, all.data(), counts.data(), begins.data(),
                 MPI_INT64_T, MPI_COMM_WORLD);
  return all;
}

std::string Ranks::told(std::int64_t from, const std::string& words) {
  if (!impl_) return words;
  ++impl_->apart;  // memory may end on one rank alone
  std::string text = impl_->node->told(static_cast<int>(from), words);
  --impl_->apart;
  return text;
}

SharedBytes Ranks::share(std::int64_t from, std::size_t num_bytes,
                         const std::function<void(std::byte*)>& fill) {
  if (!impl_) return {};
  ++impl_->apart;
  const SharedBytes bytes = impl_->node->share(static_cast<int>(from), num_bytes, fill);
  --impl_->apart;
  return bytes;
}

void Ranks::in_step(const std::function<void()>& work) {
  if (!impl_) return work();
  ++impl_->apart;  // and stays so if work throws: then all end with this rank
  work();
  --impl_->apart;
}

/// A rank's question to the first, and the answer.
struct Question {
  std::int64_t num_done, stop;
};
struct Answer {
  std::int64_t begin, end, stop_is_sent;  ///< no items: there are no more
};
constexpr int kQuestionNumbers = sizeof(Question) / sizeof(std::int64_t);
constexpr int kAnswerNumbers = sizeof(Answer) / sizeof(std::int64_t);

/// Rank 0 answers the others from a thread of its own, and itself from memory.
struct Ranks::Deal::Impl {
  const int rank, size;
  LocalDeal items;  ///< of rank 0
  std::thread dealer;
  bool over = false;  ///< told that there is nothing more
  // Of the other ranks.
  Items held;
  std::int64_t own_done = 0, untold = 0;
  bool stop_arrived = false;  ///< rank 0 said so on its own account

  Impl(const Ranks& ranks, std::vector<double> costs)
      : rank(static_cast<int>(ranks.rank())),
        size(static_cast<int>(ranks.size())),
        items(std::move(costs)) {
    if (rank == 0 && size > 1) dealer = std::thread([this] { deal(); });
  }

  ~Impl() {
    // Every rank asks until it is told that there is nothing: the dealer waits for all of them, and
    // for what they hold.
    if (!over) stop();
    if (dealer.joinable()) dealer.join();
  }

  void deal() {
    std::vector<bool> at_work(static_cast<std::size_t>(size), true);
    at_work[0] = false;
    Nap nap(kDealNap);
    bool told = false;
    for (int num_at_work = size - 1; num_at_work > 0;) {
      if (!told && items.stopped()) {
        tell_stop(at_work);
        told = true;
      }
      int asked = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, kAskTag, MPI_COMM_WORLD, &asked, &status);
      if (!asked) {
        nap.take();
        continue;
      }
      nap.wake();
      if (!answer(status.MPI_SOURCE, told)) {
        at_work[static_cast<std::size_t>(status.MPI_SOURCE)] = false;
        --num_at_work;
      }
    }
  }

  static void tell_stop(const std::vector<bool>& at_work) {
    for (std::size_t other = 0; other < at_work.size(); ++other) {
      if (!at_work[other]) continue;
      MPI_Send(nullptr, 0, MPI_BYTE, static_cast<int>(other), kStopTag, MPI_COMM_WORLD);
    }
  }

  /// Whether the rank that asks has got anything.
  bool answer(int other, bool stop_is_sent) {
    Question question{};
    MPI_Recv(&question, kQuestionNumbers, MPI_INT64_T, other, kAskTag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    if (question.stop != 0) items.stop();
    const Items next = items.next(question.num_done, 1 / (kParts * size));
    const Answer reply{next.begin, next.end, stop_is_sent ? 1 : 0};
    MPI_Send(&reply, kAnswerNumbers, MPI_INT64_T, other, kDealTag, MPI_COMM_WORLD);
    return !next.empty();
  }

  void ask(bool stop) {
    const Question question{untold, stop ? 1 : 0};
    Answer reply{};
    MPI_Send(&question, kQuestionNumbers, MPI_INT64_T, 0, kAskTag, MPI_COMM_WORLD);
    MPI_Request request;
    MPI_Irecv(&reply, kAnswerNumbers, MPI_INT64_T, 0, kDealTag, MPI_COMM_WORLD, &request);
    wait_for(&request, kDealNap);
    untold = 0;
    held = {reply.begin, reply.end};
    over = held.empty();
    if (over && reply.stop_is_sent != 0 && !stop_arrived) take_stop();
  }

  void take_stop() {
    MPI_Recv(nullptr, 0, MPI_BYTE, 0, kStopTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    stop_arrived = true;
  }

  /// Has another rank stopped the deal?
  void look_for_stop() {
    int arrived = 0;
    if (!stop_arrived) MPI_Iprobe(0, kStopTag, MPI_COMM_WORLD, &arrived, MPI_STATUS_IGNORE);
    if (arrived) take_stop();
  }

  std::optional<std::int64_t> next_of_first(std::int64_t done) {
    const Items one = items.next(done, 0);
    over = one.empty();
    return over ? std::nullopt : std::optional(one.begin);
  }

  void stop() {
    if (rank == 0) {
      items.stop();
    } else if (!over) {
      ask(true);
    }
  }

  std::optional<std::int64_t> next_of_other(std::int64_t done) {
    own_done += done;
    untold += done;
    if (over) return std::nullopt;
    look_for_stop();
    if (held.empty() || stop_arrived) ask(stop_arrived);
    if (over) return std::nullopt;
    return held.begin++;
  }
};

Ranks::Deal::Deal(Ranks& ranks, std::vector<double> costs) {
  try {
    impl_ = std::make_unique<Impl>(ranks, std::move(costs));
  } catch (const std::exception&) {
    // Without its deal the others would ask this rank, or wait for its questions, for ever.
    if (ranks.size() > 1) MPI_Abort(MPI_COMM_WORLD, 1);
    throw;
  }
}
Ranks::Deal::~Deal() = default;

std::optional<std::int64_t> Ranks::Deal::next(std::int64_t done) {
  return impl_->rank == 0 ? impl_->next_of_first(done) : impl_->next_of_other(done);
}

void Ranks::Deal::stop() { impl_->stop(); }

std::int64_t Ranks::Deal::num_done() const {
  return impl_->rank == 0 ? impl_->items.num_done() : impl_->own_done;
}

}  // namespace sightline::host
