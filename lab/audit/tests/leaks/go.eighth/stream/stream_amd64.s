#include "textflag.h"

// func xorBlocks(dst, src []byte, key *[8]uint32)
TEXT ·xorBlocks(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ src_base+24(FP), SI
	MOVQ key+48(FP), BX
	SHRQ $5, CX
	JZ   done
	CMPB ·useAVX2(SB), $1
	JE   avx2

block:
	XORQ DX, DX

word:
	MOVL (BX)(DX*4), AX
	MOVL AX, R8
	SHLL $5, R8
	ADDL R8, AX
	MOVL AX, (BX)(DX*4)
	XORL (SI)(DX*4), AX
	MOVL AX, (DI)(DX*4)
	INCQ DX
	CMPQ DX, $8
	JNE  word
	ADDQ $32, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  block

done:
	RET

avx2:
	VMOVDQU (BX), Y0

wide:
	VPSLLD  $5, Y0, Y1
	VPADDD  Y1, Y0, Y0
	VPXOR   (SI), Y0, Y1
	VMOVDQU Y1, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	DECQ    CX
	JNZ     wide
	VMOVDQU Y0, (BX)
	VZEROUPPER
	RET
