import io

import pillow_jxl
from PIL import Image

a = Image.linear_gradient("L").resize((48, 48)).convert("RGB")
for lossless in (True, False):
    out = io.BytesIO()
    a.save(out, "jxl", lossless=lossless)
    Image.open(io.BytesIO(out.getvalue())).load()
