class Net: pass
