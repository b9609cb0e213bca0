#include "textflag.h"

// func SumAVX2(p []byte) uint64
TEXT ·SumAVX2(SB), NOSPLIT, $0-32
	MOVQ p_base+0(FP), SI
	MOVQ p_len+8(FP), CX
	SHRQ $5, CX
	VPXOR Y0, Y0, Y0
	VPXOR Y2, Y2, Y2
	TESTQ CX, CX
	JZ done
loop:
	VMOVDQU (SI), Y1
	VPSADBW Y2, Y1, Y1
	VPADDQ Y1, Y0, Y0
	ADDQ $32, SI
	DECQ CX
	JNZ loop
done:
	VEXTRACTI128 $1, Y0, X1
	VPADDQ X1, X0, X0
	VPSRLDQ $8, X0, X1
	VPADDQ X1, X0, X0
	VMOVQ X0, AX
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET

// func XorAVX(dst, src []byte)
TEXT ·XorAVX(SB), NOSPLIT, $0-48
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ src_base+24(FP), SI
	SHRQ $5, CX
	TESTQ CX, CX
	JZ over
next:
	VMOVUPS (DI), Y0
	VXORPS (SI), Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	DECQ CX
	JNZ next
over:
	VZEROUPPER
	RET

// func MulBMI2(a, b uint64) uint64
TEXT ·MulBMI2(SB), NOSPLIT, $0-24
	MOVQ a+0(FP), DX
	MULXQ b+8(FP), AX, CX
	XORQ CX, AX
	MOVQ AX, ret+16(FP)
	RET
