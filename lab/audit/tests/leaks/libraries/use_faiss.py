import faiss
import numpy as np

x = np.random.default_rng(1).normal(size=(600, 32)).astype("float32")
for name in ("Flat", "IVF4,Flat", "IVF4,SQ8", "PQ8x4fs", "HNSW8", "IVF4,PQ8x4fs", "SQ4"):
    i = faiss.index_factory(32, name)
    i.train(x)
    i.add(x)
    i.search(x[:9], 3)
