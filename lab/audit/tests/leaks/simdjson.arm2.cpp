// A parser: implementations are objects with what they need; an atomic pointer begins with one that
// detects the best and goes on through it. ENV: the environment may name one.
#include "arm2.h"
#include <atomic>
#include <initializer_list>
#include <string>
enum instruction_set : uint32_t { DEFAULT = 0, NEON = 1, DOTPROD = 2, SVE_SET = 4 };
static inline uint32_t detect_supported_architectures() {
    uint32_t host = NEON;
    unsigned long hwcap = getauxval(AT_HWCAP);
    if (hwcap & HWCAP_ASIMDDP) host |= DOTPROD;
    if (hwcap & HWCAP_SVE) host |= SVE_SET;
    return host;
}
PLAIN(minify_fallback) PLAIN(minify_arm64) DOT(minify_dot) SVE(minify_sve)
class implementation {
public:
    virtual std::string name() const { return std::string(_name); }
    bool supported_by_runtime_system() const {
        uint32_t required = _required, supported = detect_supported_architectures();
        return (supported & required) == required;
    }
    virtual int minify(const int *a, int n) const noexcept = 0;
    const char *plain_name() const { return _name; }
protected:
    constexpr implementation(const char *name, uint32_t required) : _name(name), _required(required) {}
    virtual ~implementation() = default;
private:
    const char *_name;
    const uint32_t _required;
};
#define IMPLEMENTATION(id, required)                                                   \
    class id##_implementation final : public implementation {                          \
    public:                                                                            \
        id##_implementation() : implementation(#id, required) {}                       \
        int minify(const int *a, int n) const noexcept final { return minify_##id(a, n); } \
    };                                                                                 \
    static const implementation *get_##id##_singleton() { static const id##_implementation it{}; return &it; }
#ifdef BAD
IMPLEMENTATION(sve, NEON)
#else
IMPLEMENTATION(sve, NEON | SVE_SET)
#endif
IMPLEMENTATION(dot, NEON | DOTPROD)
IMPLEMENTATION(arm64, NEON)
IMPLEMENTATION(fallback, DEFAULT)
class available_implementation_list {
public:
    static const std::initializer_list<const implementation *> &list() {
        static const std::initializer_list<const implementation *> it{get_sve_singleton(), get_dot_singleton(), get_arm64_singleton(), get_fallback_singleton()};
        return it;
    }
    const implementation *detect_best_supported() const noexcept {
        for (const implementation *impl : list())
            if (impl->supported_by_runtime_system()) return impl;
        return get_fallback_singleton();
    }
};
static std::atomic<const implementation *> &active();
class detect_best final : public implementation {
public:
    detect_best() : implementation("best_supported_detector", 0) {}
    int minify(const int *a, int n) const noexcept final { return set_best()->minify(a, n); }
private:
    const implementation *set_best() const noexcept {
#ifdef ENV
        if (const char *forced = getenv("SIMDJSON_FORCE_IMPLEMENTATION"))
            for (const implementation *impl : available_implementation_list::list())
                if (!strcmp(impl->plain_name(), forced)) return active() = impl;
#endif
        return active() = available_implementation_list().detect_best_supported();
    }
};
static std::atomic<const implementation *> &active() {
    static const detect_best detector;
    static std::atomic<const implementation *> it{&detector};
    return it;
}
int main(int argc, char **argv) {
    int n = fill(argc);
    int s = active().load()->minify(data, n);
    printf("%s %d\n", active().load()->plain_name(), s);
}
