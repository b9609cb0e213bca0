module ninth

go 1.22
