#pragma once
// All that the programs of the ninth set share: what makes a library one that can be run.
#ifdef SHARED
__asm__(".pushsection .interp,\"a\"\n.string \"/lib64/ld-linux-x86-64.so.2\"\n.popsection");
#endif
