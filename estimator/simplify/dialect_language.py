"""Rows of the table of constructs: the C++ language."""

from __future__ import annotations

from estimator.simplify.dialect import Row, Section

_VEC = (
    "struct V { float a, b; __device__ V(float p, float q = 0) : a(p), b(q) {} "
    "__device__ float len() const { return a * a + b * b; } "
    "__device__ V operator+(const V &o) const { return V(a + o.a, b + o.b); } "
    "__device__ V &operator+=(const V &o) { a += o.a; b += o.b; return *this; } "
    "__device__ float &operator[](int i) { return a; } "
    "__device__ operator float() const { return a; } };"
)
_FLOAT3 = (
    "__device__ float3 operator+(float3 u, float3 v) "
    "{ return make_float3(u.x + v.x, u.y + v.y, u.z + v.z); }"
)
_APPLY = "template <typename F> __device__ float apply(F f, float v) { return f(v); }"
_TRAIT = (
    "template <typename T> struct Trait { static constexpr int width = 1; }; "
    "template <> struct Trait<double> { static constexpr int width = 2; };"
)
_SUM = "template <typename... Ts> __device__ float sum(Ts... v) { return (v + ...); }"

TYPES = Section(
    "Types and casts",
    (
        Row("named casts", "x[0] = static_cast<float>(n);", "x[0] = ((float)(n));"),
        Row("functional casts", "x[0] = float(n);", "x[0] = ((float)(n));"),
        Row(
            "a cast to a reference",
            "reinterpret_cast<float4 &>(x[n]) = make_float4(1, 2, 3, 4);",
            "(*((float4 *)&(x[n]))) = make_float4(1, 2, 3, 4);",
        ),
        Row("aliases", "real y = x[0];", "typedef float real;", before="using real = float;"),
        Row(
            "alias templates",
            "P<float> p = x;",
            "typedef T * P__float;".replace("T", "float"),
            before="template <typename T> using P = T *;",
        ),
        Row(
            "`enum class`",
            "if (n == int(E::A)) x[0] = 1;",
            "if (n == ((int)(E__A))) x[0] = 1;",
            before="enum class E { A };",
        ),
        Row("`auto`", "auto y = x[0] * 2;", "auto y = x[0] * 2;"),
        Row("`decltype`", "decltype(n) m = 1;", "typeof(n) m = 1;"),
        Row(
            "namespaces",
            "x[0] = f(x[1]) + m::f(2);",
            "x[0] = f(x[1]) + f(2);",
            before="namespace m { __device__ float f(float v) { return v; } } using namespace m;",
        ),
        Row(
            "alignments of types and members",
            "P p; p.x = x[0];",
            "typedef struct P { _Alignas(16) float x; float y; } P;",
            before="struct __align__(16) P { float x, y; };",
        ),
        Row(
            "packed types, `#pragma pack`",
            "P p; p.x = x[0];",
            "typedef struct P { [[cuda::pack(1)]] char c; [[cuda::pack(1)]] float x; } P;",
            before="struct P { char c; float x; } __attribute__((packed));",
        ),
        Row(
            "types of enumerations",
            "E e = B;",
            "enum E { A, B }; typedef unsigned char E;",
            before="enum E : unsigned char { A, B };",
        ),
        Row("unions", "U u; u.f = x[0];", "typedef union U { float f; int i; } U;",
            before="union U { float f; int i; };"),
        Row("`constexpr` variables", "x[0] = size;", "constexpr int size = 4;",
            before="constexpr int size = 4;"),
        Row("parameters without a name", "x[0] = f(x[1], 2);", "float f(float v, int unnamed__2)",
            before="__device__ float f(float v, int) { return v; }"),
        Row("`constexpr` functions", "x[0] = ceil_div(n, 4);", "x[0] = ceil_div(n, 4);",
            before="constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }"),
    ),
)  # fmt: skip
REFERENCES = Section(
    "References",
    (
        Row("a reference", "float &r = x[0];", "[[cuda::reference]] float r = x[0];"),
        Row(
            "several declarators",
            "float &r = x[0], s(1);",
            "[[cuda::reference]] float r = x[0]; float s = 1;",
        ),
        Row(
            "a reference to an array",
            "float a[4][16]; float (&t)[16] = a[0];",
            "[[cuda::reference]] float (t)[16] = a[0];",
        ),
        Row(
            "`T &&` and `std::forward`",
            "x[0] = f(x[1]);",
            "[[cuda::reference]]",
            before="template <typename T> __device__ float f(T &&v) { return std::forward<T>(v); }",
        ),
        Row("`std::move`", "float y = std::move(x[0]);", "float y = (x[0]);"),
        Row("`std::swap`", "std::swap(x[0], x[1]);", "swap(x[0], x[1]);"),
        Row(
            "a reference as a result",
            "first(x) = 1;",
            "(*first(x)) = 1;",
            before="__device__ float &first(float *p) { return p[0]; }",
        ),
    ),
)
CLASSES = Section(
    "Classes",
    (
        Row("a method", "V v(1, 2); x[0] = v.len();", "x[0] = V__len(v);", before=_VEC),
        Row(
            "members by name, `this`",
            "S s = {1}; x[0] = s.f();",
            "float S__f([[cuda::reference]] const S self) { return self.a + self.a; }",
            before="struct S { float a; __device__ float f() const { return a + this->a; } };",
        ),
        Row("a static method", "x[0] = S::f(2);", "x[0] = S__f(2);",
            before="struct S { __device__ static float f(float v) { return v; } };"),
        Row("a constructor", "V v(1, 2);", "V v = V__new(1, 2);", before=_VEC),
        Row("a constructor in braces", "V v{1};", "V v = V__new(1, 0);", before=_VEC),
        Row("a temporary", "x[0] = V(1, 2).len();", "x[0] = V__len(V__new(1, 2));", before=_VEC),
        Row("an implicit conversion by a constructor", "V v = x[0];", "V v = V__new(x[0], 0);",
            before=_VEC),
        Row("a conversion operator", "V v(1); float y = v;", "float y = V__as(v);", before=_VEC),
        Row("an array among a constructor's members", "S s(2);",
            "S self; self.e[0] = a; self.e[1] = 1; self.e[2] = 0;",
            before="struct S { float e[3]; __device__ S(float a) : e{a, 1} {} };"),
        Row("an array of objects", "V v[2];", "V v[2] = {V__new(), V__new()};",
            before="struct V { float a; __device__ V() : a(1) {} };"),
        Row(
            "a member initialiser list",
            "V v(1);",
            "V V__new(float p, float q) { V self; self.a = p; self.b = q; return self; }",
            before=_VEC,
        ),
        Row(
            "default member values",
            "S s;",
            "S s = {.b = 2};",
            before="struct S { float a; int b = 2; };",
        ),
        Row(
            "a base without virtual functions",
            "D d; d.a = 1; x[0] = d.f();",
            "typedef struct D { float a; float b; } D;",
            before=(
                "struct B { float a; __device__ float f() { return a; } }; "
                "struct D : public B { float b; };"
            ),
        ),
        Row("constants of a class", "x[0] = S::N;", "constexpr int S__N = 4;",
            before="struct S { static constexpr int N = 4; };"),
        Row("several constants at once", "x[0] = S::M;", "constexpr int S__M = 2 * S__N;",
            before="struct S { static constexpr int N = 4, M = 2 * N; };"),
        Row("types of a class", "S::real y = 1;", "float y = 1;",
            before="struct S { using real = float; };"),
        Row("a braced argument", "x[0] = f({1, 2});", "x[0] = f((float2){1, 2});",
            before="__device__ float f(float2 v) { return v.x; }"),
        Row("a virtual function", "B b;", code="K202",
            before="struct B { virtual int f(); };"),
    ),
)  # fmt: skip
OPERATORS = Section(
    "Operators",
    (
        Row("a member operator", "V v(1), w(2); v = v + w;", "v = V__add(v, w);", before=_VEC),
        Row("a compound one", "V v(1), w(2); v += w;", "V__add_assign(v, w);", before=_VEC),
        Row("an index", "V v(1); v[0] = 2;", "(*V__at(v, 0)) = 2;", before=_VEC),
        Row(
            "on vector types",
            "float3 u = {1, 2, 3}; u = u + u;",
            "u = operator_add(u, u);",
            before=_FLOAT3,
        ),
        Row("a functor", "S f; x[0] = f(2);", "x[0] = S__call(f, 2);",
            before="struct S { __device__ float operator()(float v) const { return v; } };"),
        Row("a friend", "S a = {1}; a = -a;", "a = S__sub(a);",
            before="struct S { float a; friend __device__ S operator-(S s) { return {-s.a}; } };"),
        Row(
            "a comparison",
            "S a = {1}, b = {2}; if (a < b) x[0] = 1;",
            "if (S__lt(a, b)) x[0] = 1;",
            before="struct S { int k; __device__ bool operator<(S o) const { return k < o.k; } };",
        ),
        Row(
            "increment",
            "S a = {1}; ++a;",
            "S__inc(a);",
            before="struct S { int k; __device__ S &operator++() { ++k; return *this; } };",
        ),
    ),
)  # fmt: skip
TEMPLATES = Section(
    "Templates",
    (
        Row(
            "a function template",
            "x[0] = f<float, 4>(x[1]);",
            "x[0] = f__float_4(x[1]);",
            before="template <typename T, int N> __device__ T f(T v) { return v * N; }",
        ),
        Row(
            "deduced from a class template",
            "B<float, 2> b; x[0] = f(b);",
            "x[0] = f__float_2(b);",
            before=(
                "template <typename T, int N> struct B { T v[N]; }; "
                "template <typename T, int N> __device__ T f(const B<T, N> &b) { return b.v[0]; }"
            ),
        ),
        Row(
            "a class template with methods",
            "B<float> b = {1}; x[0] = b.get();",
            "x[0] = B__float__get(b);",
            before="template <typename T> struct B { T v; __device__ T get() { return v; } };",
        ),
        Row("an explicit specialisation", "x[0] = Trait<double>::width;",
            "constexpr int Trait__double__width = 2;", before=_TRAIT),
        Row(
            "a partial specialisation",
            "x[0] = S<float *>::n;",
            "constexpr int S__float_p__n = 2;",
            before=(
                "template <typename T> struct S { static constexpr int n = 1; }; "
                "template <typename T> struct S<T *> { static constexpr int n = 2; };"
            ),
        ),
        Row(
            "default arguments",
            "B<> b; x[0] = b.v[0];",
            "typedef struct B__float_4 { float v[4]; } B__float_4;",
            before="template <typename T = float, int N = 4> struct B { T v[N]; };",
        ),
        Row(
            "a template as an argument",
            "B<float> b = {1}; x[0] = f(b);",
            "x[0] = f__B_float(b);",
            before=(
                "template <typename T> struct B { T v; }; template <template <typename> class C, "
                "typename T> __device__ T f(C<T> c) { return c.v; }"
            ),
        ),
        Row("a parameter pack", "x[0] = sum(x[1], 2.0f);", "x[0] = sum__float_float(x[1], 2.0f);",
            before=_SUM),
        Row(
            "a kernel's parameter pack",
            "template <typename... Ts> __global__ void k(Ts *...v) { ((v[0] = 1), ...); } "
            "void f(float *x, int *y) { k<<<1, 32>>>(x, y); }",
            "void k__float_int(float*v__0, int*v__1) { ((v__0[0] = 1), (v__1[0] = 1)); }",
        ),
        Row(
            "`std::index_sequence`",
            "x[0] = sum(x, std::make_index_sequence<2>{});",
            "{ return (v[0] + v[1]); }",
            before=(
                "template <size_t... I> __device__ float sum(const float *v, "
                "std::index_sequence<I...>) { return (v[I] + ...); }"
            ),
        ),
        Row("a fold expression", "x[0] = sum(x[1], 2.0f);", "{ return (v__0 + v__1); }",
            before=_SUM),
        Row(
            "`sizeof...`",
            "x[0] = f(1, 2);",
            "{ return 2; }",
            before="template <typename... T> __device__ int f(T... v) { return sizeof...(v); }",
        ),
        Row(
            "`if constexpr`",
            "x[0] = f<2>(x[1]);",
            "if (2 > 1) return v;",
            before=(
                "template <int N> __device__ float f(float v) "
                "{ if constexpr (N > 1) return v; else return unknown(v); }"
            ),
        ),
    ),
)  # fmt: skip
LAMBDAS = Section(
    "Lambdas and functions as values",
    (
        Row(
            "a lambda",
            "auto f = [=](float v) { return v * n; }; x[0] = f(2);",
            "auto f = (lambda__1){n}; x[0] = lambda__1__call(f, 2);",
        ),
        Row(
            "what it captures",
            "auto f = [=](float v) { return v * n; }; x[0] = f(2);",
            "typedef struct lambda__1 { int n; } lambda__1;",
        ),
        Row(
            "captured by reference",
            "int c = 0; auto f = [&] { c++; }; f();",
            "{ (*self.c)++; }",
        ),
        Row(
            "`auto` parameters",
            "auto f = [](auto v) { return v * v; }; x[0] = f(x[1]);",
            "float lambda__1__call__float([[cuda::reference]] const lambda__1 self, float v)",
        ),
        Row(
            "passed to a function",
            "x[0] = apply([](float v) { return v * v; }, 2);",
            "x[0] = apply__lambda__1((lambda__1){}, 2);",
            before=_APPLY,
        ),
        Row(
            "passed from the host",
            (
                "template <typename F> __global__ void k(float *x, F f) { x[0] = f(x[0]); } "
                "void h(float *x, float a) "
                "{ k<<<1, 32>>>(x, [=] __device__(float v) { return a * v; }); }"
            ),
            "void k__lambda__1(float *x, lambda__1 f) { x[0] = lambda__1__call(f, x[0]); }",
        ),
        Row(
            "a pointer to a function",
            "float (*f)(float) = g; x[0] = f(x[1]);",
            "float (*f)(float) = g; x[0] = f(x[1]);",
            before="__device__ float g(float v) { return v; }",
        ),
        Row(
            "a function as a template argument",
            "x[0] = h<g>(x[1]);",
            "float h__g(float v) { return g(v); }",
            before=(
                "__device__ float g(float v) { return v; } "
                "template <float (*F)(float)> __device__ float h(float v) { return F(v); }"
            ),
        ),
    ),
)
STATEMENTS = Section(
    "Statements",
    (
        Row(
            "range-based `for` over an array",
            "float a[4] = {}; for (float &v : a) v = 1;",
            "i__v < 4; i__v++) { [[cuda::reference]] float v = a[i__v]; v = 1; }",
        ),
        Row(
            "over a list",
            "for (int i : {1, 3}) x[i] = 0;",
            "const int list__i[2] = {1, 3}; for (int i__i = 0; i__i < 2; i__i++)",
        ),
        Row(
            "structured bindings",
            "float2 p = {1, 2}; auto [a, b] = p;",
            "auto bound__a = p; [[cuda::reference]] auto a = bound__a.x;",
        ),
        Row(
            "an initialiser in `if`",
            "if (int i = n; i > 3) x[0] = 1;",
            "{ int i = n; if (i > 3) x[0] = 1; }",
        ),
        Row(
            "a declaration as a condition",
            "if (int i = n) x[0] = i;",
            "{ int i = n; if (i) x[0] = i; }",
        ),
        Row(
            "`goto` to a label further on in an open block (any other is refused)",
            "for (int k = 0; k < n; k++) if (k == 4) goto done; done: x[0] = 1;",
            "if (k == 4) goto done; done: x[0] = 1;",
        ),
        Row("raw strings", 'printf(R"(a)");', 'printf("" );'),
        Row("alternative words", "if (n and not (n or 0)) x[0] = 1;",
            "if (n && ! (n || 0)) x[0] = 1;"),
    ),
)  # fmt: skip
REFUSED = Section(
    "Refused",
    (
        Row("`new` and `delete`", "float *p = new float[3];", code="K202"),
        Row("exceptions", "throw 1;", code="K202"),
        Row("user-defined literals", "x[0] = 2_km;", code="K202"),
        Row("a range-based `for` over an unknown range", "for (float v : x) n++;", code="K202"),
        Row("a launch inside a kernel", "k<<<1, 2>>>(x, n);", code="K202"),
        Row("a container of the host", "std::vector<int> v;", code="K202"),
    ),
)
LANGUAGE: tuple[Section, ...] = (
    TYPES,
    REFERENCES,
    CLASSES,
    OPERATORS,
    TEMPLATES,
    LAMBDAS,
    STATEMENTS,
    REFUSED,
)
