// An audio program's plug-ins behind a C interface: shared objects in a folder are tried by dlopen,
// and those that are built in stand in a table of descriptors, with a requirement that the host
// checks before it makes an instance.
#include <algorithm>
#include <cmath>
#include <cpuid.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <immintrin.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

extern "C" {
enum { PLUGIN_ABI = 3 };
enum : uint32_t { NEEDS_NOTHING = 0, NEEDS_SSE2 = 1, NEEDS_AVX = 2, NEEDS_FMA = 4 };
struct plugin_descriptor {
    uint32_t abi, requires_cpu;
    int rank;
    const char *uri;
    void *(*instantiate)(double rate);
    void (*run)(void *self, const float *in, float *out, uint32_t n);
    void (*cleanup)(void *self);
};
typedef const plugin_descriptor *entry_fn(uint32_t index);
}

struct Gain {
    float gain, bias;
};
static void *gain_new(double rate) { return new Gain{rate > 48000 ? 0.25f : 0.5f, 1.0f}; }
static void gain_delete(void *self) { delete static_cast<Gain *>(self); }
static void gain_run(void *self, const float *in, float *out, uint32_t n) {
    const auto *g = static_cast<Gain *>(self);
    for (uint32_t i = 0; i < n; i++)
        out[i] = in[i] * g->gain + g->bias;
}
__attribute__((target("avx"))) static void gain_run_avx(void *self, const float *in, float *out, uint32_t n) {
    const auto *g = static_cast<Gain *>(self);
    const __m256 gain = _mm256_set1_ps(g->gain), bias = _mm256_set1_ps(g->bias);
    uint32_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(out + i, _mm256_add_ps(_mm256_mul_ps(_mm256_loadu_ps(in + i), gain), bias));
    gain_run(self, in + i, out + i, n - i);
}
__attribute__((target("avx,fma"))) static void gain_run_fma(void *self, const float *in, float *out, uint32_t n) {
    const auto *g = static_cast<Gain *>(self);
    const __m256 gain = _mm256_set1_ps(g->gain), bias = _mm256_set1_ps(g->bias);
    uint32_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(out + i, _mm256_fmadd_ps(_mm256_loadu_ps(in + i), gain, bias));
    for (; i < n; i++)
        out[i] = in[i] * g->gain + g->bias;
}
static const plugin_descriptor built_in[] = {
    {PLUGIN_ABI, NEEDS_NOTHING, 0, "urn:gain", gain_new, gain_run, gain_delete},
    {PLUGIN_ABI, NEEDS_SSE2 | NEEDS_AVX, 10, "urn:gain", gain_new, gain_run_avx, gain_delete},
#ifdef BAD
    // Its requirement was copied from the line above.
    {PLUGIN_ABI, NEEDS_SSE2 | NEEDS_AVX, 20, "urn:gain", gain_new, gain_run_fma, gain_delete},
#else
    {PLUGIN_ABI, NEEDS_SSE2 | NEEDS_AVX | NEEDS_FMA, 20, "urn:gain", gain_new, gain_run_fma, gain_delete},
#endif
};
static const plugin_descriptor *built_in_entry(uint32_t index) { return index < std::size(built_in) ? &built_in[index] : nullptr; }

class Host {
public:
    explicit Host(std::string folder) : folder_(std::move(folder)) {
        unsigned a, b, c, d, lo = 0, hi;
        if (__get_cpuid(1, &a, &b, &c, &d)) {
            if (c & bit_OSXSAVE)
                asm volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
            cpu_ |= d & bit_SSE2 ? NEEDS_SSE2 : 0;
            cpu_ |= c & bit_AVX && (lo & 6) == 6 ? NEEDS_AVX : 0;
            cpu_ |= c & bit_FMA && (lo & 6) == 6 ? NEEDS_FMA : 0;
        }
        add(built_in_entry);
        for (const char *name : {"libgain_avx512.so", "libgain_extra.so"})
            load(folder_ + "/" + name);
    }
    ~Host() {
        for (void *handle : handles_)
            dlclose(handle);
    }
    const plugin_descriptor *best(std::string_view uri) const {
        const plugin_descriptor *found = nullptr;
        for (const plugin_descriptor *p : plugins_)
            if (uri == p->uri && (!found || p->rank > found->rank))
                found = p;
        return found;
    }

private:
    void add(entry_fn *entry) {
        for (uint32_t i = 0; const plugin_descriptor *p = entry(i); i++)
            if (p->abi == PLUGIN_ABI && (p->requires_cpu & ~cpu_) == 0)
                plugins_.push_back(p);
    }
    void load(const std::string &path) {
        void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle)
            return;
        if (auto *entry = reinterpret_cast<entry_fn *>(dlsym(handle, "plugin_entry"))) {
            handles_.push_back(handle);
            add(entry);
        } else {
            dlclose(handle);
        }
    }
    std::string folder_;
    uint32_t cpu_ = 0;
    std::vector<const plugin_descriptor *> plugins_;
    std::vector<void *> handles_;
};

int main(int argc, char **argv) {
    const char *folder = std::getenv("EFFECTS_PATH");
    Host host(folder ? folder : "/usr/lib/effects");
    const std::string uri = argc > 1 ? argv[1] : "urn:gain";
    const plugin_descriptor *plugin = host.best(uri);
    if (!plugin) {
        std::fprintf(stderr, "%s: no such plug-in\n", uri.c_str());
        return 3;
    }
    const std::unique_ptr<void, void (*)(void *)> self(plugin->instantiate(44100), plugin->cleanup);
    std::vector<float> in(1027), out(1027), want(1027);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = static_cast<float>(i % 64) / 8;
    for (size_t at = 0; at < in.size(); at += 256)
        plugin->run(self.get(), in.data() + at, out.data() + at, static_cast<uint32_t>(std::min<size_t>(256, in.size() - at)));
    gain_run(self.get(), in.data(), want.data(), static_cast<uint32_t>(in.size()));
    if (out != want)
        return 1;
    std::printf("%s of rank %d: %g\n", plugin->uri, plugin->rank, out.back());
    return 0;
}
