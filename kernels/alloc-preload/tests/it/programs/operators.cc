// What C++ promises of operator new and delete.
#include <cstdint>
#include <cstdio>
#include <map>
#include <new>
#include <string>
#include <thread>
#include <vector>

struct alignas(256) Wide { char bytes[300]; };
struct Local {
  std::vector<int> numbers;
  ~Local() { numbers.assign(100, 1); }
};
static thread_local Local local;

static volatile std::size_t huge = std::size_t(1) << 62;
static int handled;
static void handler() {
  if (++handled == 3) std::set_new_handler(nullptr);
}

int main() {
  int wrong = 0;
  auto holds = [&](bool right, const char *what) {
    if (!right) ++wrong, std::printf("%s does not hold\n", what);
  };
  std::map<int, std::string> map;
  for (int i = 0; i < 20000; i++) map[i % 777] += std::to_string(i);
  std::vector<std::thread> threads;
  for (int i = 0; i < 20; i++) threads.emplace_back([] { local.numbers.push_back(1); });
  for (auto &t : threads) t.join();

  Wide *wide = new Wide, *several = new Wide[5];
  holds(std::uintptr_t(wide) % 256 == 0 && std::uintptr_t(several) % 256 == 0, "alignment");
  delete wide;
  delete[] several;
  holds(!::operator new(huge, std::nothrow), "nothrow");
  holds(!::operator new[](huge, std::align_val_t(64), std::nothrow), "aligned nothrow");
  std::set_new_handler(handler);
  bool thrown = false;
  try {
    ::operator new(huge);
  } catch (const std::bad_alloc &) {
    thrown = true;
  }
  holds(thrown && handled == 3, "bad_alloc after the handler");
  thrown = false;
  try {
    ::operator new(huge, std::align_val_t(4096));
  } catch (const std::bad_alloc &) {
    thrown = true;
  }
  holds(thrown, "bad_alloc");
  std::printf("%zu strings, %d wrong\n", map.size(), wrong);
  return wrong;
}
