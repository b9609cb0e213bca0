module third
go 1.20
