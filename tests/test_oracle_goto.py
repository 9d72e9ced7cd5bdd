"""Kernels with gotos against the oracle, which jumps by Python's exceptions.

Those of EXACT need no unknown at all, those of TOTALS one for a single thread; what the others
report as unknown is not compared.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.compare import compare

HELPER = """
__device__ int first(const float *a, int i, int M)
{
    int k;
    for (k = 0; k < M; k++) {
        if (k == i) goto found;
        if (a[k] == 5.0f) continue;
    }
    return -1;
found:
    return k;
}
"""
HEAD = "__global__ void k(const float *a, float *out, int N, int M)"
INDEX = "int i = blockIdx.x*blockDim.x + threadIdx.x; if (i >= N) return; "
LINE = "grid=((N+7)/8) block=(8)"
SIZES = ({"N": 13, "M": 3}, {"N": 5, "M": 7}, {"N": 32, "M": 32})

EXACT = {
    "search": "float s=0; for(int k=0;k<N;k++){ if(k==M) goto done; s+=a[k]; } done: out[i]=s;",
    "search by thread": (
        "float s=0; for(int k=0;k<N;k++){ if(k==i+M) goto done; s+=a[k]; } s*=2.0f; done: out[i]=s;"
    ),
    "triangle": (
        "float s=0; for(int k=0;k<N;k++) for(int m=0;m<=k;m++){ if(m==M) goto done; s+=a[m]; } "
        "s+=1.0f; done: out[i]=s;"
    ),
    "three loops": (
        "float s=0; for(int k=0;k<M;k++) for(int m=0;m<k;m++) for(int n=0;n<4;n++){ "
        "if(k+n==i) goto done; s+=a[n]; } s+=1.0f; done: out[i]=s;"
    ),
    "as continue": (
        "float s=0; for(int k=0;k<N;k++){ if(k%3==1) goto next; s+=a[k]; if(k>i) goto next; s*=2; "
        "next: ; } out[i]=s;"
    ),
    "as continue of the outer loop": (
        "float s=0; for(int k=0;k<M;k++){ for(int m=0;m<N;m++){ if(m>k+i) goto next; s+=a[m]; } "
        "s*=2; next: out[i*M+k]=s; }"
    ),
    "past the else": (
        "float s=a[i]; if(i<M){ s*=2; goto done; } else { s+=1; } s+=3; done: out[i]=s;"
    ),
    "out of both branches": (
        "float s=a[i]; if(i<M){ s*=2; goto one; } else { s+=1; goto two; } "
        "one: s-=1.0f; two: out[i]=s;"
    ),
    "and continue in the block": (
        "float s=0; for(int k=0;k<N;k++){ if(k==M) goto next; if(k>i) continue; s+=a[k]; "
        "next: s*=2; } out[i]=s;"
    ),
    "in a case": (
        "float s=0; switch(i%3){ case 0: if(i<M) goto low; s+=a[i]; low: s+=1; break; "
        "case 1: s*=2; } out[i]=s;"
    ),
    "everybody": "goto done; out[i]=0.0f; int q; done: q=2; out[i]=a[i+q];",
    "a value from each way": "int q=2; if(i<M) goto done; q=5; done: out[q+i]=a[i];",
    "trips from each way": (
        "int q=2; if(i<M) goto done; q=4; done: for(int k=0;k<q;k++) out[i]+=a[k];"
    ),
    "the counter after it": (
        "int k; for(k=0;k<N;k++){ if(k==M) goto done; out[k]+=1.0f; } done: out[i]=a[k];"
    ),
    "run through": (
        "float s=0; int w=32; for(;w>0;w>>=1){ if(w<4) goto done; s+=a[w]; } s*=2; "
        "done: out[w+i]=s;"
    ),
    "a do loop": (
        "int k=0; do { if(k==M) goto done; out[k]+=a[i]; k++; } while(k<N); out[i]=2; done: ;"
    ),
    "nested labels": "if(i<M) goto one; if(i<2*M) goto two; out[i]=1; one: two: out[i]+=a[i];",
    "blocks with the same end": (
        "float s=0; for(int k=0;k<M;k++){ { if(k<i) goto next; s+=a[k]; } s*=2; next: ; } out[i]=s;"
    ),
    "in a branch": "if(i<M){ if(i%2) goto low; out[i]=1; low: out[i]+=1; } else out[i]=a[i];",
    "a shared tail": (
        "float s=a[i]; if(i==0) goto edge; if(i==N-1) goto edge; s+=a[i-1]+a[i+1]; goto store; "
        "edge: s*=3; store: out[i]=s;"
    ),
}  # fmt: skip
TOTALS = {
    "two labels": (
        "float s=0; for(int k=0;k<N;k++){ if(k==M) goto one; if(k>i) goto two; s+=a[k]; } "
        "s*=3; one: s*=2; s+=1; two: out[i]=s;"
    ),
    "with return": (
        "float s=0; for(int k=0;k<N;k++){ if(k==M) goto done; if(k>i) return; s+=a[k]; } "
        "s*=3; done: out[i]=s;"
    ),
    "with break": (
        "float s=0; for(int k=0;k<N;k++){ if(k==M) goto done; if(k>i) break; s+=a[k]; } "
        "s*=3; done: out[i]=s;"
    ),
    "and a break out of the block": (
        "float s=0; for(int k=0;k<N;k++){ if(k==M) goto next; if(k>i) break; s+=a[k]; "
        "next: s*=2; } out[i]=s;"
    ),
    "out of a switch": (
        "float s=0; for(int k=0;k<N;k++) { switch(k%3){ case 0: s+=a[k]; goto next; "
        "case 1: s*=2; break; default: goto done; } s+=1; next: out[k]=s; } s*=2; done: out[i]+=s;"
    ),
}  # fmt: skip
WITH_UNKNOWNS = {
    "inlined": "int q=first(a,i,M); out[q+1]=1.0f;",
    "data": "float s=0; for(int k=0;k<N;k++){ if(a[k]>9) goto done; s+=a[k]; } s*=2; done: out[i]=s;",
    "halving, after the work": (
        "float s=0; int w=N; for(;w>0;w>>=1){ s+=a[w]; if(w<4) goto done; } s*=2; done: out[i]=s;"
    ),
    "halving": (
        "float s=0; int w=N; for(;w>0;w>>=1){ if(w<4) goto done; s+=a[w]; } s*=2; done: out[i]=s;"
    ),
    "a flag": (
        "int q=1; for(int k=0;k<N;k++){ if(k*3==i) goto done; } q=2; done: out[i]=1.0f; "
        "for (int k=0;k<q;k++) out[k]+=a[i];"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EXACT)
def test_exact(name: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"{HEAD}\n{{\n{INDEX}{EXACT[name]}\n}}\n")
    for sizes in SIZES:
        result = compare(file, "k", LINE, sizes)
        assert not result.differences
        assert not result.skipped


@pytest.mark.parametrize("name", TOTALS)
def test_totals(name: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"{HEAD}\n{{\n{INDEX}{TOTALS[name]}\n}}\n")
    for sizes in SIZES:
        result = compare(file, "k", LINE, sizes)
        assert not result.differences
        assert all(one.endswith("of a thread") for one in result.skipped)


@pytest.mark.parametrize("name", WITH_UNKNOWNS)
def test_with_unknowns(name: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"{HELPER}{HEAD}\n{{\n{INDEX}{WITH_UNKNOWNS[name]}\n}}\n")
    for sizes in SIZES:
        assert not compare(file, "k", LINE, sizes).differences
