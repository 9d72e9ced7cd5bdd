"""One kernel for each shape that loops, conditions, indices and accesses take.

Those of EXACT need no unknown at all; what the others report as unknown is not compared.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.compare import compare

HEAD = "__global__ void k(const float *a, float *out, int N, int M)"
INDEX = "int i = blockIdx.x*blockDim.x + threadIdx.x; "
SPLIT = "int t = blockIdx.x*blockDim.x + threadIdx.x; int i = t/M, j = t%M; if (t >= N*M) return; "
LINE = "grid=((N+7)/8) block=(8)"
FLAT = "grid=((N*M+7)/8) block=(8)"
TWO = "grid=(2) block=(8)"
SIZES = ({"N": 13, "M": 3}, {"N": 5, "M": 7}, {"N": 32, "M": 32})

Kernel = tuple[str, str, str]
"""What it shows, its body, its launch."""

EXACT: list[Kernel] = [
    ("idx i*M+i", INDEX + "if(i<N) out[i]=a[i*M+i];", LINE),
    ("idx i*N+i", INDEX + "if(i<N) out[i*N+i]=a[i];", LINE),
    ("min", INDEX + "if(i<N) out[i]=a[min(i,M)];", LINE),
    ("ternary idx", INDEX + "if(i<N) out[i]=a[i<M?i:M];", LINE),
    ("clamp", INDEX + "if(i<N) out[i]=a[max(0,min(i-1,N-1))];", LINE),
    (
        "tri rect",
        INDEX
        + ("if(i<N){float s=0; for(int k=0;k<i;k++) for (int m=k;m<M;m++) s+=a[m]; out[i]=s;}"),
        LINE,
    ),
    (
        "break",
        INDEX + "if(i<N){float s=0; for(int k=0;k<N;k++){ if(k>i+M) break; s+=a[k];} out[i]=s;}",
        LINE,
    ),
    (
        "break mod",
        INDEX
        + ("if(i<N){float s=0; for(int k=0;k<N;k++){ if((k+i)%3==2) break; s+=a[k];} out[i]=s;}"),
        LINE,
    ),
    (
        "continue",
        INDEX
        + (
            "if(i<N){float s=0; for(int k=0;k<N;k++){ if(k%2==0||k==i) continue; s+=a[k];} "
            "out[i]=s;}"
        ),
        LINE,
    ),
    (
        "return in loop",
        INDEX + "if(i<N){for(int k=0;k<N;k++){ if(k==i) return; out[k]=a[k];}}",
        LINE,
    ),
    (
        "return deep",
        INDEX + "if(i>=N) return; if(i<M){ if(i>1) return; out[i]=1.0f;} out[i]+=a[i];",
        LINE,
    ),
    (
        "two arrays pointers",
        INDEX + "if(i<N){const float*p=a+i; for(int k=0;k<M;k++){out[i*M+k]=*p; p+=N;}}",
        LINE,
    ),
    ("union affine", INDEX + "if(i<N){out[i]=a[2*i]+a[3*i+1];}", LINE),
    ("grid stride M", INDEX + "for(int g=i;g<N*M;g+=gridDim.x*blockDim.x) out[g]=a[g];", TWO),
    (
        "block stride 2d",
        INDEX
        + (
            "for(int r=threadIdx.x/4;r<N;r+=2) for(int c=threadIdx.x%4;c<M;c+=4) "
            "out[r*M+c]=a[r*M+c];"
        ),
        "grid=(1) block=(8)",
    ),
    (
        "switch param",
        INDEX
        + (
            "if(i<N) switch(M){case 1: out[i]=1.0f; case 2: out[i]+=a[i]; break; default: "
            "out[i]=a[i]*a[i];}"
        ),
        LINE,
    ),
    ("flag", INDEX + "bool ok = i<N && i!=2; if(ok) out[i]=a[i];", LINE),
    ("nested unsigned wrap", INDEX + "if(i<N) for(unsigned k=N-1; k<N; k--) out[i]+=a[k];", LINE),
    ("and idx", INDEX + "if(i<N && (i&3)==0) out[i]=a[i&7];", LINE),
    (
        "log stride mod",
        INDEX + "for(int d=1;d<16;d*=2){ if(i%(2*d)==0 && i+d<N) out[i]+=a[i+d];}",
        LINE,
    ),
    ("3 deep", INDEX + "if(i<N) for(int j=0;j<=i;j++) for(int k=0;k<=j;k++) out[i]+=a[k];", LINE),
    ("cond on pow 1", INDEX + "if(i<N) for(int d=1;d<8;d*=2){ if(i>=d) out[i]+=a[i-d];}", LINE),
    ("cond on pow 2", INDEX + "if(i<N) for(int d=4;d>0;d/=2){ if(i<d) out[i]+=a[i+d];}", LINE),
    ("store twice", INDEX + "if(i<N){ out[i]=1.0f; out[i+M]=2.0f; }", LINE),
    ("store N M overlap", INDEX + "if(i<N){ out[i]=1.0f; out[N-1-i]=2.0f; }", LINE),
    ("empty M", INDEX + "if(i<N) for(int k=M;k<4;k++) out[k]=a[i];", LINE),
    ("negative trip", INDEX + "if(i<N) for(int k=N;k<M;k++) out[k]=a[i];", LINE),
    ("le trip", INDEX + "if(i<N) for(int k=i;k<=M;k+=3) out[k]=a[i];", LINE),
    ("ne trip", INDEX + "if(i<N) for(int k=0;k!=i;k++) out[k]=a[i];", LINE),
    ("down step 3", INDEX + "if(i<N) for(int k=N-1;k>=i;k-=3) out[k]=a[i];", LINE),
    (
        "break inner only",
        INDEX
        + (
            "if(i<N) for(int k=0;k<M;k++){ for(int m=0;m<N;m++){ if(m>k) break; "
            "out[m]+=a[k];} out[k]=0.f;}"
        ),
        LINE,
    ),
    ("var after loop", INDEX + "if(i<N){ int k=0; while(k*3<i) k++; out[k]=a[i]; }", LINE),
    ("early exit grid", INDEX + "for(int g=i;g<N;g+=16){ if(g==M) return; out[g]=a[g]; }", TWO),
    (
        "cont grid",
        INDEX + "for(int g=i;g<N;g+=gridDim.x*blockDim.x){ if(g%2) continue; out[g]=a[g]; }",
        TWO,
    ),
    (
        "pointer diff",
        INDEX
        + ("if(i<N){ const float*p=a+i; const float*e=a+N; while(p<e){ out[p-a]+=*p; p+=2;} }"),
        LINE,
    ),
    (
        "local 2d",
        INDEX
        + (
            "if(i<N){ float w[2][3]; for(int r=0;r<2;r++) for(int c=0;c<3;c++) "
            "w[r][c]=a[i*6+r*3+c]; out[i]=w[1][2]+w[0][0]; }"
        ),
        LINE,
    ),
    (
        "shared 2d",
        "__shared__ float s[8][9]; int x=threadIdx.x,y=threadIdx.y; s[y][x]=a[y*N+x]; "
        "__syncthreads(); if (x<M) out[x*N+y]=s[x][y];",
        "grid=1 block=(4,4)",
    ),
    (
        "bar cond",
        "__shared__ float s[8]; int t=threadIdx.x; for(int k=0;k<M;k++){ s[t]=a[k*8+t]; "
        "__syncthreads(); if(t<4) s[t]+=s[t+4]; __syncthreads(); } out[t]=s[t];",
        TWO,
    ),
    (
        "const acc",
        "int t=threadIdx.x; float s=0; for(int k=0;k<4;k++) s+=1.0f*2.0f; out[t]=s;",
        TWO,
    ),
    (
        "double mix",
        INDEX + "if(i<N){ double q=a[i]; float f=q*2.0f; f*=0.5; f+=1; out[i]=f/3.0; }",
        LINE,
    ),
    ("int float", INDEX + "if(i<N){ out[i]=i*0.5f+i/2; out[i]+=(float)i/M; }", LINE),
    ("casts", INDEX + "if(i<N){ out[i]=(float)((double)a[i]+1); }", LINE),
    ("incr", INDEX + "if(i<N){ float f=a[i]; f++; ++f; out[i]=f--; }", LINE),
    ("neg", INDEX + "if(i<N){ out[i]=-a[i]-(-2.0f*3.0f); }", LINE),
    ("comma", INDEX + "if(i<N){ for(int k=0,m=N;k<m;k++,m--) out[k]+=a[m]; }", LINE),
    (
        "lazy or",
        INDEX + "if(i<N){ if(i==0 || i==N-1 || M==3) out[i]=a[i]; else out[i]=a[i-1]+a[i+1]; }",
        LINE,
    ),
    (
        "ternary nest",
        INDEX + "if(i<N){ float l=i>0?a[i-1]:0.0f, r=i<N-1?a[i+1]:(M>2?a[0]:1.0f); out[i]=l+r; }",
        LINE,
    ),
    ("ternary flops", INDEX + "if(i<N){ out[i]= i%2 ? a[i]*2.0f+1.0f : a[i]; }", LINE),
    ("atomic ret", INDEX + "if(i<N){ float o=atomicAdd(&out[0],a[i]); if(M>2) out[i+1]=o; }", LINE),
    ("ldg", INDEX + "if(i<N) out[i]=__ldg(&a[i])+__ldg(a+N+i);", LINE),
    (
        "float2 cast",
        INDEX
        + ("if(i<N){ float2 q=((const float2*)a)[i]; ((float2*)out)[i]=make_float2(q.y,q.x); }"),
        LINE,
    ),
    (
        "float3",
        INDEX
        + ("if(i<N){ const float3*p=(const float3*)a; float3 q=p[i]; out[i]=q.x+q.y+p[i].z; }"),
        LINE,
    ),
    ("overlap width", INDEX + "if(i<N){ float2 q=((const float2*)a)[i]; out[i]=q.x+a[i]; }", LINE),
    (
        "fmod sincos",
        INDEX
        + (
            "if(i<N){ float s,c; sincosf(a[i],&s,&c); "
            "out[i]=s*c+powf(a[i],2.0f)+fabsf(s)+exp(a[i]); }"
        ),
        LINE,
    ),
    (
        "fma",
        INDEX + "if(i<N){ out[i]=fmaf(a[i],2.0f,1.0f)+__fmul_rn(a[i],a[i])+fma(a[i],a[i],a[i]); }",
        LINE,
    ),
    ("max min", INDEX + "if(i<N){ out[i]=max(a[i],0.0f)+fminf(a[i],1.0f)+min(i,3); }", LINE),
    ("short circ", INDEX + "bool b = i<N && (i%2==0 || i>M); if(!b) return; out[i]=a[i];", LINE),
    (
        "switch fall",
        INDEX
        + (
            "if(i<N) switch(i%4){case 0: out[i]=a[0]; case 1: out[i]+=a[1]; break; case 3: "
            "out[i]-=a[3]; }"
        ),
        LINE,
    ),
    (
        "switch loop",
        INDEX
        + (
            "if(i<N) for(int k=0;k<N;k++){ switch(k%3){case 0: continue; case 1: "
            "out[k]+=1.0f; break; default: out[k]*=a[i];} out[k]+=2.0f; }"
        ),
        LINE,
    ),
    (
        "goto-free nested ret",
        INDEX
        + (
            "if(i<N){ for(int k=0;k<M;k++) for(int m=0;m<M;m++){ if(m==2) break; if(k==m+1) "
            "continue; out[k*M+m]+=a[i]; } }"
        ),
        LINE,
    ),
    ("unsigned sub", INDEX + "if(i<N) for(unsigned k=0;k+1u<N;k++) out[k]=a[k+1];", LINE),
    ("mod neg", INDEX + "if(i<N) out[(i-5)%3+2]=a[i];", LINE),
    ("div neg", INDEX + "if(i<N) out[(i-5)/3+2]=a[i];", LINE),
    ("max trip", INDEX + "if(i<N) for(int k=0;k<max(M,4);k++) out[k]+=a[i];", LINE),
    ("min trip", INDEX + "if(i<N) for(int k=i;k<min(i+M,N);k++) out[k]+=a[i];", LINE),
    ("ceil trip", INDEX + "if(i<N) for(int k=0;k<(N+M-1)/M;k++) out[k]+=a[i];", LINE),
    (
        "tile loop",
        INDEX + "if(i<N) for(int k0=0;k0<N;k0+=4) for(int k=k0;k<min(k0+4,N);k++) out[k]+=a[i];",
        LINE,
    ),
    ("div trip", INDEX + "if(i<N) for(int k=0;k<i/2;k++) out[k]+=a[i];", LINE),
    ("mod trip", INDEX + "if(i<N) for(int k=0;k<i%3;k++) out[k]+=a[i];", LINE),
    ("two var", INDEX + "if(i<N) for(int k=0,m=0;k<N;k++,m+=2) out[m]+=a[k];", LINE),
    ("cond var", INDEX + "int q=0; if(i>2) q=3; if(i<N) out[q+i]=a[i];", LINE),
    (
        "cond var trip",
        INDEX + "int q=2; if(i>2) q=M; if(i<N) for(int k=0;k<q;k++) out[i]+=a[k];",
        LINE,
    ),
    (
        "accum trip",
        INDEX
        + ("if(i<N){ int q=0; for(int k=0;k<M;k++){ for(int m=0;m<q;m++) out[m]+=a[m]; q+=2; } }"),
        LINE,
    ),
    ("block trip", INDEX + "for(int k=0;k<=blockIdx.x;k++) out[i]+=a[k];", TWO),
    ("gridDim idx", INDEX + "out[blockIdx.x+gridDim.x*threadIdx.x]=a[i];", TWO),
]

WITH_UNKNOWNS: list[Kernel] = [
    ("idx i/M", INDEX + "if(i<N) out[i]=a[i/M];", LINE),
    ("idx i%M", INDEX + "if(i<N) out[i]=a[i%M];", LINE),
    ("idx i*i", INDEX + "if(i<N) out[i]=a[i*i];", LINE),
    ("idx i*(i+1)/2+k", INDEX + "if(i<N) for(int k=0;k<=i;k++) out[i*(i+1)/2+k]=a[k];", LINE),
    ("ring", INDEX + "if(i<N) out[i]=a[(i+1)%N];", LINE),
    ("cond i/M%3", SPLIT + "if (i%3==0) out[t]=a[t]*2.0f;", FLAT),
    ("cond j", SPLIT + "if (j>0 && j<M-1) out[t]=a[t-1]+a[t+1];", FLAT),
    ("cond i%M==0", INDEX + "if(i<N && i%M==0) out[i]=a[i];", LINE),
    ("cond i*M<N", INDEX + "if(i<N && i*M<N) out[i]=a[i];", LINE),
    ("geom data", INDEX + "if(i<N){float s=0; for(int k=1;k<N;k*=2) s+=a[k]; out[i]=s;}", LINE),
    ("geom i", INDEX + "if(i<N){float s=0; for(int k=1;k<=i;k*=2) s+=a[k]; out[i]=s;}", LINE),
    ("geom down i", INDEX + "if(i<N){float s=0; for(int k=i;k>0;k>>=1) s+=a[k]; out[i]=s;}", LINE),
    ("stride i", INDEX + "if(i<N){float s=0; for(int k=i;k<N;k+=M) s+=a[k]; out[i]=s;}", LINE),
    (
        "cond return loop",
        INDEX + "if(i<N){for(int k=0;k<M;k++){ if(i+k>M) return; out[i*M+k]=a[k];} out[i]=0.0f;}",
        LINE,
    ),
    ("union N M", INDEX + "if(i<N){out[i]=a[i*M]+a[i*N];}", LINE),
    (
        "while halving",
        INDEX + "if(i<N){int k=N; float s=0; while(k>1){s+=a[k]; k=k/2;} out[i]=s;}",
        LINE,
    ),
    (
        "while half up",
        INDEX + "if(i<N){int k=N; float s=0; while(k>1){s+=a[k]; k=(k+1)/2;} out[i]=s;}",
        LINE,
    ),
    ("do", INDEX + "if(i<N){int k=0; do{out[i*N+k]=a[k]; k++;}while(k<M);}", LINE),
    ("int acc", INDEX + "if(i<N){int q=0; for(int k=0;k<M;k++) q+=k; out[q]=a[i];}", LINE),
    ("xor idx", INDEX + "if((i^1)<N) out[i]=a[i^1];", LINE),
    ("shift idx", INDEX + "if(i<N) out[i>>1]=a[(i<<1)|1];", LINE),
    ("quad cond", INDEX + "int j=threadIdx.x; if (i*i+j*j<N) out[i]=a[j];", LINE),
    ("data cond idx", INDEX + "if(i<N && a[i]>0.0f) out[i]=1.0f;", LINE),
    ("share cond then store", INDEX + "if(i<N && i*i<M) out[i]=1.0f;", LINE),
    ("prod idx store", INDEX + "if(i<N) for(int k=0;k<M;k++) out[i*k]=1.0f;", LINE),
    (
        "break then after",
        INDEX + "if(i<N){ int k; for(k=0;k<N;k++){ if(k*2>i) break; } out[k]=a[k]; }",
        LINE,
    ),
    ("lazy and", INDEX + "if(i<N){ if(i>0 && a[i-1]>9.0f) out[i]=0.f; }", LINE),
    (
        "long idx",
        INDEX + "long long q=(long long)i*N; if(i<N) for(size_t k=0;k<M;k++) out[q+k]=a[k];",
        LINE,
    ),
    ("quad trip", INDEX + "if(i<N) for(int k=0;k*k<N;k++) out[k]+=a[i];", LINE),
    ("prod trip", INDEX + "if(i<N) for(int k=0;k<i*M;k++) out[0]+=a[i];", LINE),
    ("alt toggle", INDEX + "if(i<N){ int q=0; for(int k=0;k<N;k++){ out[q]=a[k]; q=1-q; } }", LINE),
    (
        "toggle cond",
        INDEX + "if(i<N){ int q=0; for(int k=0;k<N;k++){ if(q==0) out[k]=a[k]; q^=1; } }",
        LINE,
    ),
    (
        "count var",
        INDEX
        + (
            "if(i<N){ int c=0; for(int k=0;k<N;k++) if(k%2==0) c++; out[c]=a[i]; for(int "
            "k=0;k<c;k++) out[k]+=1.0f; }"
        ),
        LINE,
    ),
]


@pytest.mark.parametrize(("name", "body", "launch"), EXACT, ids=[row[0] for row in EXACT])
def test_exact(name: str, body: str, launch: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"{HEAD}\n{{\n{body}\n}}\n")
    for sizes in SIZES:
        result = compare(file, "k", launch, sizes)
        assert not result.differences
        assert not result.skipped


@pytest.mark.parametrize(
    ("name", "body", "launch"), WITH_UNKNOWNS, ids=[row[0] for row in WITH_UNKNOWNS]
)
def test_with_unknowns(name: str, body: str, launch: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"{HEAD}\n{{\n{body}\n}}\n")
    for sizes in SIZES:
        assert not compare(file, "k", launch, sizes).differences
