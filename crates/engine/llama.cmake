# How llama.cpp is compiled. `.cargo/config.toml` has its build read this file after each `project`.
#
# Its matrix kernels (ggml) keep the highest level of optimisation. The rest prepares their work: it is compiled at a low
# level and with its headers read once, which takes half the time and costs no speed that can be measured
# (`cargo xtask bench turn`).

if(NOT PROJECT_NAME STREQUAL "llama.cpp")
  return()
endif()

# Command-line options, chat templates, downloads: a library for programs that come with llama.cpp. Nothing here calls it,
# but the bindings switch it on, and it takes as long as llama.cpp itself.
set(LLAMA_BUILD_COMMON OFF CACHE BOOL "" FORCE)

function(perigee_compile_llama_quickly)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    return()
  endif()
  target_compile_options(llama PRIVATE $<$<CONFIG:Release>:-O1>)
  target_precompile_headers(llama PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${CMAKE_CURRENT_SOURCE_DIR}/src/models/models.h>")
endfunction()

# The target exists at the end of the file that is being read.
cmake_language(DEFER CALL perigee_compile_llama_quickly)
