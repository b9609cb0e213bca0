// A registry of functions, virtual functions and exceptions round code that needs AVX2.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#ifndef ASKS
#define ASKS __builtin_cpu_supports("avx2")
#endif

__attribute__((noinline, target("avx2"))) int kernel(const int *a, int n) {
    typedef int v8 __attribute__((vector_size(32)));
    v8 sum = {0};
    for (int i = 0; i + 8 <= n; i += 8) {
        v8 row;
        __builtin_memcpy(&row, a + i, sizeof row);
        sum += row * row;
    }
    return sum[0] + sum[7];
}
__attribute__((noinline)) int plain(const int *a, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * a[i];
    return sum;
}

#if defined(REGISTRY)
static std::vector<std::function<int(const int *, int)>> registry;
__attribute__((noinline)) void fill() {
    registry.push_back(plain);
    if (ASKS)
        registry.push_back([](const int *a, int n) { return kernel(a, n) + 1; });
}
__attribute__((noinline)) int work(const int *a, int n) {
    fill();
    return registry.back()(a, n);
}
#elif defined(VIRTUAL)
struct Sum {
    virtual ~Sum() = default;
    virtual int sum(const int *a, int n) const = 0;
};
struct Wide : Sum {
    int sum(const int *a, int n) const override { return kernel(a, n); }
};
struct Plain : Sum {
    int sum(const int *a, int n) const override { return plain(a, n); }
};
__attribute__((noinline)) std::unique_ptr<Sum> make() {
    if (ASKS)
        return std::make_unique<Wide>();
    return std::make_unique<Plain>();
}
__attribute__((noinline)) int work(const int *a, int n) { return make()->sum(a, n); }
#elif defined(LANDING)
// The compiler puts `vzeroupper` in handlers of code that was inlined behind a gate.
struct Guard {
    std::string name;
    ~Guard() { std::puts(name.c_str()); }
};
__attribute__((noinline)) void may_throw(int n) {
    if (n > 1000)
        throw std::runtime_error("too many");
}
__attribute__((noinline, target("avx2"))) int wide(const int *a, int n) {
    Guard guard{"wide"};
    int sum = kernel(a, n);
    try {
        may_throw(n);
    } catch (const std::exception &error) {
        sum += std::string(error.what()).size();
    }
    may_throw(sum & 3);
    return sum;
}
__attribute__((noinline)) int work(const int *a, int n) {
    Guard guard{"work"};
    std::string s(n, 'x');
    if (ASKS)
        return wide(a, n) + s.size();
    return plain(a, n);
}
#elif defined(THROWS)
__attribute__((noinline)) void require() {
    if (!(ASKS))
        throw std::runtime_error("no AVX2");
}
__attribute__((noinline)) int work(const int *a, int n) {
    try {
        require();
        return kernel(a, n);
    } catch (const std::exception &) {
        return plain(a, n);
    }
}
#elif defined(STATIC)
// A local that is asked for once.
__attribute__((noinline)) bool has() {
    static const bool answer = ASKS;
    return answer;
}
__attribute__((noinline)) int work(const int *a, int n) {
    return has() ? kernel(a, n) + 1 : plain(a, n);
}
#endif

int main(int argc, char **argv) {
    int a[64] = {argc};
    std::printf("%d %d\n", work(a, 64), plain(a, 3));
    return argv == nullptr;
}
