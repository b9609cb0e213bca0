// A library for learning: an object tells of the CPU, each operator has a list of kernels with a
// function that says whether it will do, which are given the types and the CPU's features.
#include "arm2.h"
#include <memory>
#include <vector>
struct CpuIsaInfo { bool neon = false, sve = false, sve2 = false, fp16 = false, bf16 = false, svebf16 = false, dot = false, i8mm = false; };
static void decode_hwcaps(CpuIsaInfo &isa, uint32_t hwcaps, uint32_t hwcaps2) {
    isa.neon = true;
    isa.fp16 = (hwcaps & (1 << 10)) != 0;
    isa.dot = (hwcaps & (1 << 20)) != 0;
    isa.sve = (hwcaps & (1 << 22)) != 0;
    isa.sve2 = (hwcaps2 & (1 << 1)) != 0;
    isa.i8mm = (hwcaps2 & (1 << 13)) != 0;
    isa.bf16 = (hwcaps2 & (1 << 14)) != 0;
}
class CPUInfo {
public:
    static CPUInfo &get() { static CPUInfo it; return it; }
    CpuIsaInfo get_isa() const { return _impl->isa; }
    bool has_dotprod() const { return _impl->isa.dot; }
    bool has_i8mm() const { return _impl->isa.i8mm; }
private:
    struct Impl { CpuIsaInfo isa; unsigned cpus = 1; };
    CPUInfo() : _impl(new Impl) { decode_hwcaps(_impl->isa, (uint32_t)getauxval(AT_HWCAP), (uint32_t)getauxval(AT_HWCAP2)); }
    std::unique_ptr<Impl> _impl;
};
enum class DataType { F32, F16, QASYMM8 };
struct Data { DataType dt; CpuIsaInfo isa; };
PLAIN(add_neon) SVE(add_sve) FP16(add_fp16) DOT(add_dot) PLAIN(gemm_neon) DOT(gemm_dot) I8MM(gemm_mmla)
struct AddKernel { const char *name; bool (*is_selected)(const Data &); work_t ukernel; };
static const std::vector<AddKernel> available_kernels = {
#ifdef BAD
    {"sve_fp32_add", [](const Data &d) { return d.dt == DataType::F32 && (d.isa.sve || d.isa.neon); }, add_sve},
#else
    {"sve_fp32_add", [](const Data &d) { return d.dt == DataType::F32 && d.isa.sve; }, add_sve},
#endif
    {"neon_fp16_add", [](const Data &d) { return d.dt == DataType::F16 && d.isa.fp16; }, add_fp16},
    {"neon_qu8_add", [](const Data &d) { return d.dt == DataType::QASYMM8 && d.isa.dot; }, add_dot},
    {"neon_add", [](const Data &) { return true; }, add_neon},
};
static const AddKernel *get_implementation(const Data &data) {
    for (const auto &uk : available_kernels)
        if (uk.is_selected(data)) return &uk;
    return nullptr;
}
struct GemmImplementation { const char *name; bool (*is_supported)(const CPUInfo &); work_t run; };
static const GemmImplementation gemm_methods[] = {
    {"a64_interleaved_s8s32_mmla", [](const CPUInfo &ci) { return ci.has_i8mm(); }, gemm_mmla},
    {"a64_gemm_s8_8x12", [](const CPUInfo &ci) { return ci.has_dotprod(); }, gemm_dot},
    {"a64_gemm_s16", nullptr, gemm_neon},
    {"", nullptr, nullptr}};
__attribute__((noinline)) static const GemmImplementation *find(const CPUInfo &ci) {
    for (const GemmImplementation *i = gemm_methods; i->run; i++)
        if (i->is_supported == nullptr || i->is_supported(ci)) return i;
    return nullptr;
}
int main(int argc, char **argv) {
    int n = fill(argc), s = 0;
    for (DataType dt : {DataType::F32, DataType::F16, DataType::QASYMM8}) {
        const AddKernel *uk = get_implementation(Data{dt, CPUInfo::get().get_isa()});
        s += uk->ukernel(data, n);
    }
    printf("%d %d\n", s, find(CPUInfo::get())->run(data, n));
}
