#include "textflag.h"

// func blockAVX2(h *[8]uint32, p []byte)
TEXT ·blockAVX2(SB), NOSPLIT, $0-32
	MOVQ h+0(FP), DI
	MOVQ p_base+8(FP), SI
	MOVQ p_len+16(FP), CX
	VMOVDQU (DI), Y0
	SHRQ $5, CX
	JZ   done

loop:
	VMOVDQU (SI), Y1
	VPADDD  Y1, Y0, Y0
	VPSLLD  $7, Y0, Y2
	VPSRLD  $3, Y0, Y3
	VPXOR   Y3, Y2, Y0
	VPXOR   Y1, Y0, Y0
	ADDQ    $32, SI
	DECQ    CX
	JNZ     loop
	VMOVDQU Y0, (DI)

done:
	VZEROUPPER
	RET
