bash -lc 'timeout 10 "go" test ./... && echo `date` $(go vet) \
 ${x:-y}'