module eighth

go 1.22
