module sixth

go 1.21
