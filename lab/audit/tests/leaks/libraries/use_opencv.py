import cv2
import numpy as np

a = (np.arange(96 * 96 * 3) % 251).astype(np.uint8).reshape(96, 96, 3)
g = cv2.cvtColor(a, cv2.COLOR_BGR2GRAY)
cv2.cvtColor(a, cv2.COLOR_BGR2HSV), cv2.resize(a, (40, 40)), cv2.GaussianBlur(a, (5, 5), 2), cv2.Canny(g, 9, 99)
cv2.medianBlur(a, 5), cv2.filter2D(a, -1, np.ones((3, 3))), cv2.warpAffine(a, np.eye(2, 3), (96, 96))
for end in (".png", ".jpg", ".webp"):
    cv2.imdecode(cv2.imencode(end, a)[1], 1)
cv2.dft(np.float32(g)), cv2.integral(g), cv2.matchTemplate(g, g[:9, :9], 1), cv2.ORB_create().detect(g)
cv2.calcHist([g], [0], None, [16], [0, 256]), cv2.threshold(g, 9, 255, 0), cv2.norm(a), cv2.dilate(a, np.ones((3, 3)))
