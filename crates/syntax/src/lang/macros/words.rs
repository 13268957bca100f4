//! What words of the C family are, as far as their spelling tells.

use crate::lang::{c, cpp};

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// `const char*`, `unsigned short`: words of the language, and nothing else.
pub(super) fn is_plain_type(text: &[u8]) -> bool {
    let mut words = text
        .split(|byte| !is_word(*byte))
        .filter(|word| !word.is_empty())
        .peekable();
    let is_type = |word: &[u8]| is_primitive(word) || word == b"const";
    let is_between = |byte: &u8| is_word(*byte) || byte.is_ascii_whitespace() || matches!(byte, b'*' | b'&');
    words.peek().is_some() && words.all(is_type) && text.iter().all(is_between)
}

pub(super) fn is_primitive(word: &[u8]) -> bool {
    matches!(
        word,
        b"bool" | b"char" | b"double" | b"float" | b"int" | b"long" | b"short" | b"signed" | b"unsigned" | b"void"
    )
}

/// Of the languages, or of compilers as far as the grammars know them.
pub(super) fn is_keyword(word: &[u8]) -> bool {
    const OF_COMPILERS: &str = "\
        _Alignas _Atomic _Nonnull _Noreturn _Nullable _Thread_local __asm __asm__ __attribute __attribute__ __based \
        __block __cdecl __clrcall __const __declspec __extension__ __fastcall __forceinline __inline __inline__ \
        __except __finally __leave __restrict __restrict__ __stdcall __strong __thiscall __thread __try __unaligned \
        __unsafe_unretained __vectorcall __volatile __volatile__ __weak in noreturn";
    [c::RESERVED, cpp::RESERVED, OF_COMPILERS]
        .iter()
        .any(|words| words.split(' ').any(|keyword| keyword.as_bytes() == word))
}

/// `(1, 2)`: no function takes that where it is declared.
pub(super) fn is_given_numbers(arguments: &[u8]) -> bool {
    let mut inner = arguments.iter().filter(|byte| !byte.is_ascii_whitespace());
    inner.clone().any(u8::is_ascii_digit)
        && inner.all(|byte| byte.is_ascii_digit() || matches!(byte, b'(' | b',' | b')'))
}

/// Written like a macro.
pub(crate) fn is_loud(word: &[u8]) -> bool {
    word.len() >= 3
        && word
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
        && word.iter().any(u8::is_ascii_uppercase)
}

/// By one of its parts a macro that qualifies a declaration: `LIBRARY_EXPORT`, `FMT_CONSTEXPR`.
pub(super) fn is_qualifier(word: &[u8]) -> bool {
    if matches!(
        word,
        b"JNIEXPORT" | b"NODISCARD" | b"FORCEINLINE" | b"DLLEXPORT" | b"EXPORT"
    ) {
        return true;
    }
    let mut parts = word.split(|byte| *byte == b'_');
    word.contains(&b'_')
        && parts.any(|part| {
            matches!(
                part,
                b"API"
                    | b"EXPORT"
                    | b"EXPORTS"
                    | b"IMPORT"
                    | b"EXTERN"
                    | b"INLINE"
                    | b"FORCEINLINE"
                    | b"NOINLINE"
                    | b"CONSTEXPR"
                    | b"CONSTEXPR20"
                    | b"CONSTEVAL"
                    | b"EXPLICIT"
                    | b"NODISCARD"
                    | b"DEPRECATED"
                    | b"NORETURN"
                    | b"DLL"
                    | b"VISIBLE"
                    | b"VISIBILITY"
                    | b"UNUSED"
                    | b"COLD"
                    | b"FUNC"
                    | b"PUBLIC"
            )
        })
}

/// Says how a function is called, between its type and its name.
pub(super) fn is_convention(word: &[u8]) -> bool {
    matches!(
        word,
        b"WINAPI" | b"JNICALL" | b"STDMETHODCALLTYPE" | b"CALLBACK" | b"APIENTRY" | b"STDAPICALLTYPE" | b"APIPRIVATE"
    )
}

/// Says by one of its parts how a function is called: `my_cdecl`.
pub(super) fn is_calling(word: &[u8]) -> bool {
    is_convention(word)
        || word.split(|byte| *byte == b'_').any(|part| {
            let part = part.to_ascii_lowercase();
            matches!(
                &part[..],
                b"cdecl" | b"stdcall" | b"fastcall" | b"thiscall" | b"vectorcall" | b"pascal"
            )
        })
}

/// Says that a function is put where it is called.
pub(super) fn is_inline(name: &[u8]) -> bool {
    name.ends_with(b"_INLINE") || name == b"INLINE"
}

/// Stands behind a declaration.
pub(super) fn is_trailing(word: &[u8]) -> bool {
    let mut parts = word.split(|byte| *byte == b'_');
    word.contains(&b'_')
        && parts.any(|part| {
            matches!(
                part,
                b"NOEXCEPT"
                    | b"OVERRIDE"
                    | b"FINAL"
                    | b"DEPRECATED"
                    | b"AVAILABLE"
                    | b"UNAVAILABLE"
                    | b"DESIGNATED"
                    | b"SWIFT"
                    | b"REQUIRES"
                    | b"REQUIRED"
                    | b"EXCLUDED"
                    | b"RETAINED"
                    | b"APPEARANCE"
                    | b"NONNULL"
                    | b"NULLABLE"
                    | b"NOESCAPE"
            )
        })
}

/// Declares an enum, or a set of flags, with its type and name as arguments.
pub(super) fn is_enum(word: &[u8]) -> bool {
    matches!(
        word,
        b"NS_ENUM"
            | b"NS_OPTIONS"
            | b"NS_CLOSED_ENUM"
            | b"NS_ERROR_ENUM"
            | b"CF_ENUM"
            | b"CF_OPTIONS"
            | b"CF_CLOSED_ENUM"
    )
}

/// Says of itself that it is a loop.
pub(super) fn is_loop(word: &[u8]) -> bool {
    if word.len() < b"foreach".len() {
        return false;
    }
    let letters = word.iter().filter(|byte| **byte != b'_').map(u8::to_ascii_lowercase);
    let letters: Vec<u8> = letters.collect();
    memchr::memmem::find(&letters, b"foreach").is_some()
}

/// Defines a test: `TEST_F(Suite, Name) {`.
pub(super) fn is_test(word: &[u8]) -> bool {
    is_loud(word) && memchr::memmem::find(word, b"TEST").is_some()
}

/// Makes declarations of its own and needs nothing behind.
pub(super) fn is_statement(word: &[u8]) -> bool {
    word.starts_with(b"Q_")
        || word.starts_with(b"GENERATED_")
        || matches!(
            word,
            b"UCLASS" | b"USTRUCT" | b"UENUM" | b"UINTERFACE" | b"UPROPERTY" | b"UFUNCTION" | b"UPARAM"
        )
}

/// Begins something that declares nothing.
pub(super) fn is_statement_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"return"
            | b"if"
            | b"else"
            | b"for"
            | b"while"
            | b"do"
            | b"switch"
            | b"case"
            | b"goto"
            | b"new"
            | b"delete"
            | b"throw"
            | b"sizeof"
            | b"operator"
    )
}

pub(super) fn is_specifier(word: &[u8]) -> bool {
    matches!(
        word,
        b"static" | b"inline" | b"virtual" | b"explicit" | b"extern" | b"friend" | b"constexpr" | b"template"
    )
}
