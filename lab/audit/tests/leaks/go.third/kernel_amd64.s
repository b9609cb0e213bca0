#include "textflag.h"

// func sumAVX2(at *int32, count int) int64
TEXT ·sumAVX2(SB), NOSPLIT, $0-24
	MOVQ at+0(FP), SI
	MOVQ count+8(FP), CX
	VPXOR Y0, Y0, Y0
next:
	CMPQ CX, $8
	JL done
	VPADDD (SI), Y0, Y0
	ADDQ $32, SI
	SUBQ $8, CX
	JMP next
done:
	VEXTRACTI128 $1, Y0, X1
	VPADDD X1, X0, X0
	VMOVD X0, AX
	VZEROUPPER
	MOVLQSX AX, AX
	MOVQ AX, ret+16(FP)
	RET

// func cpuid(leaf, sub uint32) (a, b, c, d uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, a+8(FP)
	MOVL BX, b+12(FP)
	MOVL CX, c+16(FP)
	MOVL DX, d+20(FP)
	RET

// func xgetbv() (low, high uint32)
TEXT ·xgetbv(SB), NOSPLIT, $0-8
	MOVL $0, CX
	XGETBV
	MOVL AX, low+0(FP)
	MOVL DX, high+4(FP)
	RET
