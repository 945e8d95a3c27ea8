"""What a file is to a reviewer, by its path: the same table as crates/hansei-core/src/risk/likelihood/kind.rs."""

import functools
import re

GENERATED = re.compile(
    r"(^|/)(vendor|vendored|node_modules|third[_-]?party|thirdparty|extern|external|deps|dist|generated|__snapshots__|gen)/|"
    r"\.lock$|(^|/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|gradle\.lockfile|Package\.resolved|"
    r"Podfile\.lock|composer\.lock)$|\.(snap|ambr|map|pb\.go|pb\.h|pb\.cc|g\.dart|designer\.cs)$|_pb2(_grpc)?\.pyi?$|"
    r"\.min\.(js|css)$|[._-]generated\.",
    re.I,
)
TRANSLATION = re.compile(r"(^|/)(locales?|i18n|l10n|translations?|lang)/|\.(po|pot|mo|arb|strings|xlf|ftl)$|(^|/)strings\.json$", re.I)
DOCS = re.compile(
    r"(^|/)(docs?|documentation|man|website|changelogs?|releasenotes|release-notes)/|\.(md|mdx|markdown|rst|adoc|asciidoc|tex|texi|txt|pod)$|"
    r"(^|/)(changes|changelog|news|authors|license|licence|copying|readme|notice|contributors|codeowners|maintainers)[^/]*$",
    re.I,
)
TEST = re.compile(
    r"(^|/)(tests?|__tests__|specs?|testing|testdata|test-data|fixtures?|e2e|integration[_-]tests?|benchmarks?|examples?|samples?)/|"
    r"(^|/)(test_|tests?\.)[^/]*$|[._-](tests?|specs?|bench)\.[a-z]+$|[a-z0-9](Tests?|Spec|IT|TestCase|TestBase)\.[a-z]+$|(^|/)conftest\.py$|(^|/)src/(it|test)/|"
    r"(^|/)[^/]*-?tests?/"
)
SOURCE = re.compile(
    r"\.(c|cc|cpp|cxx|c\+\+|m|mm|h|hh|hpp|hxx|inl|ipp|tcc|rs|go|py|pyx|pxd|rb|rake|erb|haml|slim|java|kt|kts|scala|sc|groovy|clj|cljs|cljc|"
    r"cs|fs|fsx|vb|swift|dart|js|jsx|mjs|cjs|ts|tsx|mts|cts|vue|svelte|coffee|php|phtml|pl|pm|lua|r|jl|ex|exs|erl|hrl|hs|"
    r"ml|mli|elm|nim|zig|d|pas|f|f90|f95|for|asm|s|sol|sql|sh|bash|zsh|fish|ps1|bat|cmd|tcl|vim|el|lisp|scm|rkt|awk|"
    r"jsp|aspx|cshtml|razor|ejs|hbs|twig|cu|cl|glsl|hlsl|wgsl|metal|proto|thrift|g4|y|l|ll|td|idl|webidl|v|sv|vhd|vhdl|css|scss|sass|less|styl|html|htm|xhtml|mako|jinja2?|j2|tmpl|tpl)$",
    re.I,
)
CODE = {"source", "test"}


@functools.lru_cache(maxsize=None)
def kind_of(path):
    if GENERATED.search(path):
        return "generated"
    if TRANSLATION.search(path):
        return "translation"
    if TEST.search(path):
        return "test"
    if DOCS.search(path):
        return "docs"
    if SOURCE.search(path):
        return "source"
    return "other"
