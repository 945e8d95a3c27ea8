"""What a file is to a reviewer, by its path: the same table as crates/hansei-core/src/risk/likelihood/kind.rs."""

import functools
import re

GENERATED_FOLDERS = set("vendor vendored node_modules third_party third-party thirdparty extern external deps dist generated __snapshots__ gen bower_components".split())
GENERATED_NAMES = set("package-lock.json npm-shrinkwrap.json pnpm-lock.yaml go.sum gradle.lockfile package.resolved".split())
GENERATED_ENDS = tuple(".lock .snap .ambr .map .pb.go .pb.h .pb.cc .g.dart .designer.cs _pb2.py _pb2.pyi _pb2_grpc.py _pb2_grpc.pyi .min.js .min.css".split())
TRANSLATION_FOLDERS = set("locale locales i18n l10n translation translations lang".split())
TRANSLATION_EXTENSIONS = set("po pot mo arb strings xlf ftl".split())
DOCS_FOLDERS = set("doc docs documentation man website changelog changelogs releasenotes release-notes".split())
DOCS_EXTENSIONS = set("md mdx markdown rst adoc asciidoc tex texi txt pod".split())
DOCS_BEGINNINGS = tuple("changes changelog news authors license licence copying readme notice contributors codeowners maintainers".split())
TEST_FOLDERS = set("test tests __tests__ spec specs testing testdata test-data fixture fixtures e2e benchmark benchmarks example examples sample samples it".split())
TEST_WORDS = set("test tests spec specs bench".split())
TEST_CAPITALS = re.compile(r"[a-z0-9](Test|Tests|Spec|IT|TestCase|TestBase)$")
SOURCE_EXTENSIONS = set("""c cc cpp cxx c++ m mm h hh hpp hxx inl ipp tcc rs go py pyx pxd rb rake erb haml slim java kt kts
    scala sc groovy clj cljs cljc cs fs fsx vb swift dart js jsx mjs cjs ts tsx mts cts vue svelte coffee php phtml pl pm
    lua r jl ex exs erl hrl hs ml mli elm nim zig d pas f f90 f95 for asm s sol sql sh bash zsh fish ps1 bat cmd tcl vim
    el lisp scm rkt awk jsp aspx cshtml razor ejs hbs twig cu cl glsl hlsl wgsl metal proto thrift g4 y l ll td idl
    webidl v sv vhd vhdl css scss sass less styl html htm xhtml mako jinja jinja2 j2 tmpl tpl""".split())
CODE = {"source", "test"}


@functools.lru_cache(maxsize=None)
def kind_of(path):
    *folders, lower_name = path.lower().split("/")
    name = path.rsplit("/", 1)[-1]
    extension = lower_name.rsplit(".", 1)[1] if "." in lower_name else ""
    inside = lambda names: any(folder in names for folder in folders)
    if (inside(GENERATED_FOLDERS) or lower_name in GENERATED_NAMES or lower_name.endswith(GENERATED_ENDS)
            or any(mark in lower_name for mark in ("_generated.", "-generated.", ".generated."))):
        return "generated"
    if inside(TRANSLATION_FOLDERS) or extension in TRANSLATION_EXTENSIONS or lower_name == "strings.json":
        return "translation"
    if inside(TEST_FOLDERS) or any(f.endswith(("-tests", "-test")) for f in folders) or is_test_name(name):
        return "test"
    if inside(DOCS_FOLDERS) or extension in DOCS_EXTENSIONS or lower_name.startswith(DOCS_BEGINNINGS):
        return "docs"
    if extension in SOURCE_EXTENSIONS:
        return "source"
    return "other"


def is_test_name(name):
    stem = name.rsplit(".", 1)[0] if "." in name else name
    last = re.split(r"[._-]", stem)[-1]
    return bool(stem.startswith("test_") or stem in ("conftest", "test", "tests")
                or (len(last) < len(stem) and last in TEST_WORDS) or TEST_CAPITALS.search(stem))
