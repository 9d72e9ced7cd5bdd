"""Header names: which ones need no file, and where the others are found."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

# Headers of the CUDA toolkit and its libraries: what analysis needs of them is built in.
_TOOLKIT = re.compile(
    r"(?:cuda|curand|cublas|cusparse|cusolver|cufft|cudnn|cutensor|nvml|nvtx|nvrtc|nvToolsExt|npp)"
    r"[\w/+-]*(?:\.h|\.hpp|\.cuh)?"
    r"|(?:cub|thrust|cuda|cooperative_groups|nv|crt|nvtx3|nvfunctional|libcu\+\+)(?:/.*)?"
    r"|cooperative_groups[\w/]*(?:\.h)?"
    r"|(?:mma|builtin_types|channel_descriptor|common_functions|driver_functions|driver_types"
    r"|host_config|host_defines|library_types|math_constants|math_functions|vector_functions"
    r"|vector_types|device_(?:types|functions|atomic_functions|launch_parameters"
    r"|double_functions)|(?:surface|texture)_\w+|sm_\d\d_\w+)\.(?:h|hpp)"
)

_C = """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal
stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads
time uchar unistd wchar wctype malloc memory omp"""

_CPP = """algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv
cfloat charconv chrono cinttypes climits clocale cmath compare complex concepts condition_variable
coroutine csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar
cwctype deque exception execution expected filesystem format forward_list fstream functional
future initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map
memory memory_resource mutex new numbers numeric optional ostream queue random ranges ratio regex
semaphore set shared_mutex source_location span sstream stack stdexcept stop_token streambuf
string string_view strstream syncstream system_error thread tuple type_traits typeindex typeinfo
unordered_map unordered_set utility valarray variant vector version"""

_STANDARD = {f"{name}.h" for name in _C.split()} | set(_CPP.split())


def is_known(name: str) -> bool:
    """Whether `name` is a header of C, C++ or the CUDA toolkit, which no file is needed for."""
    return name in _STANDARD or _TOOLKIT.fullmatch(name) is not None


@dataclass(slots=True)
class Headers:
    """The headers of one file, and what finding them rested on.

    `texts` has what was read by path, None for what could not be; `absent` the paths that were
    looked at and hold no file. With these and the file's own text the outcome is the same.
    """

    texts: dict[str, str | None] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)

    def find(self, name: str, folders: Sequence[str]) -> str | None:
        """The path of the first file called `name` in `folders`, spelled as the folders are."""
        for folder in folders:
            path = os.path.normpath(os.path.join(folder, name))
            if os.path.isfile(path):
                return path
            self.absent.add(path)
        return None


def header_name(argument: str) -> tuple[str, bool] | None:
    """The name in `"name"` or `<name>`, and whether it stood in angle brackets."""
    found = re.match(r'\s*(?:"([^"]+)"|<([^>]+)>)', argument)
    if found is None:
        return None
    return found[1] or found[2], found[1] is None
