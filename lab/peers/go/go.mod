module karat-peers

go 1.24

require (
	github.com/celestiaorg/nmt v0.24.3
	github.com/klauspost/reedsolomon v1.14.2
)

require (
	github.com/gogo/protobuf v1.3.2 // indirect
	github.com/klauspost/cpuid/v2 v2.3.0 // indirect
	golang.org/x/sys v0.30.0 // indirect
)
