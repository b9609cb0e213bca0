import ctypes
import sys

c = ctypes.CDLL(sys.argv[1])
p = ctypes.c_void_p
for preset in (b"ultrafast", b"medium", b"slower"):
    param = (ctypes.c_int32 * 1024)()
    assert c.x264_param_default_preset(param, preset, None) == 0
    # Threads, width and height (x264.h, x264_param_t).
    param[1], param[7], param[8] = 1, 64, 64
    opened = c.x264_encoder_open_164
    opened.restype = p
    encoder = p(opened(param))
    picture, out = (ctypes.c_uint8 * 1024)(), (ctypes.c_uint8 * 1024)()
    assert c.x264_picture_alloc(picture, 2, 64, 64) == 0
    planes = ctypes.cast(ctypes.addressof(picture) + 64, ctypes.POINTER(p))
    nals, count = p(), ctypes.c_int()
    for frame in range(6):
        for plane, size in enumerate((4096, 1024, 1024)):
            ctypes.memmove(planes[plane], bytes((i * (frame + 3) >> 2) & 255 for i in range(size)), size)
        assert c.x264_encoder_encode(encoder, ctypes.byref(nals), ctypes.byref(count), picture, out) >= 0
    while c.x264_encoder_delayed_frames(encoder) > 0:
        c.x264_encoder_encode(encoder, ctypes.byref(nals), ctypes.byref(count), None, out)
