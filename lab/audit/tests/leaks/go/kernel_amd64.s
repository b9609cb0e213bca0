#include "textflag.h"

// func kernel(a *int32) int32
TEXT ·kernel(SB), NOSPLIT, $0-12
	MOVQ a+0(FP), AX
	VMOVDQU (AX), Y0
	VPMULLD Y0, Y0, Y0
	VPADDD 32(AX), Y0, Y0
	VMOVD X0, AX
	VZEROUPPER
	MOVL AX, ret+8(FP)
	RET

// func cpuid7() uint32
TEXT ·cpuid7(SB), NOSPLIT, $0-4
	MOVL $7, AX
	XORL CX, CX
	CPUID
	MOVL BX, ret+0(FP)
	RET
