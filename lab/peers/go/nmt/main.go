// celestiaorg/nmt as a peer of karat's namespaced Merkle trees
// (docs/peer-programs.md):
//
//	cd lab/peers/go && go build -o /tmp/nmt-peer ./nmt
//	karat kernels bench --kernel nmt --peer /tmp/nmt-peer
package main

import (
	"crypto/sha256"

	"github.com/celestiaorg/nmt"

	"karat-peers/line"
)

// Bytes of a namespace of Celestia.
const namespace = 29

// The leaves, and the tree that is used again for each pass.
type tree struct {
	leaves [][]byte
	tree   *nmt.NamespacedMerkleTree
	root   []byte
}

func prepare(_ string, input line.Input) (line.Call, error) {
	prepared := &tree{
		leaves: input.Items,
		tree: nmt.New(sha256.New(),
			nmt.NamespaceIDSize(namespace), nmt.IgnoreMaxNamespace(true),
			nmt.InitialCapacity(len(input.Items)), nmt.ReuseBuffers(true)),
	}
	// Memory is used again in each run that is timed.
	return prepared, prepared.Run()
}

func (t *tree) Run() error {
	t.tree.Reset()
	for _, leaf := range t.leaves {
		if err := t.tree.Push(leaf); err != nil {
			return err
		}
	}
	root, err := t.tree.Root()
	t.root = append(t.root[:0], root...)
	return err
}

func (t *tree) Result() []byte { return t.root }

func main() {
	line.Serve(line.Peer{
		Name:    "celestiaorg/nmt, buffers reused",
		Has:     func(task string) bool { return task == "nmt" },
		Prepare: prepare,
	})
}
