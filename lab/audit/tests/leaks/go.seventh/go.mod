module seventh

go 1.22
