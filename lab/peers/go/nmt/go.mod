module nmt-peer

go 1.24

require github.com/celestiaorg/nmt v0.24.3

require github.com/gogo/protobuf v1.3.2 // indirect
