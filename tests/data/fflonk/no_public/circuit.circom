pragma circom 2.0.0;
template Private() { signal input a; signal input b; signal t; t <== a * b; t * t === t + 420; }
component main = Private();
