#include "textflag.h"

// func sumAVX2(p *byte, n int) uint64
TEXT ·sumAVX2(SB), NOSPLIT, $0-24
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
wide:
	CMPQ CX, $32
	JB reduce
	VMOVDQU (SI), Y2
	VPSADBW Y1, Y2, Y2
	VPADDQ Y2, Y0, Y0
	ADDQ $32, SI
	SUBQ $32, CX
	JMP wide
reduce:
	VEXTRACTI128 $1, Y0, X1
	VPADDQ X1, X0, X0
	VPSRLDQ $8, X0, X1
	VPADDQ X1, X0, X0
	VMOVQ X0, AX
	VZEROUPPER
tail:
	TESTQ CX, CX
	JZ done
	MOVBLZX (SI), DX
	ADDQ DX, AX
	INCQ SI
	DECQ CX
	JMP tail
done:
	MOVQ AX, ret+16(FP)
	RET

// func dotFMA(a, b *float32, n int) float32
TEXT ·dotFMA(SB), NOSPLIT, $0-28
	MOVQ a+0(FP), SI
	MOVQ b+8(FP), DI
	MOVQ n+16(FP), CX
	VXORPS Y0, Y0, Y0
loop:
	CMPQ CX, $8
	JB end
	VMOVUPS (SI), Y1
	VFMADD231PS (DI), Y1, Y0
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JMP loop
end:
	VEXTRACTF128 $1, Y0, X1
	VADDPS X1, X0, X0
	VHADDPS X0, X0, X0
	VHADDPS X0, X0, X0
	VZEROUPPER
	MOVSS X0, ret+24(FP)
	RET

// func depositBMI2(value, mask uint64) uint64
TEXT ·depositBMI2(SB), NOSPLIT, $0-24
	MOVQ value+0(FP), AX
	MOVQ mask+8(FP), BX
	PDEPQ BX, AX, AX
	MOVQ AX, ret+16(FP)
	RET
