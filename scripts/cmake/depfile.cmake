# Joins what a GLSL compiler wrote about the includes of several modules, <dir>/<name>.spv.d for each of the names, to
# <dir>/modules.d, in which `output` depends on all of it.
# usage: cmake -Ddir=FOLDER -Dnames=A,B -Doutput=FILE -P depfile.cmake
string(REPLACE "," ";" names "${names}")
set(needed)
foreach(name IN LISTS names)
  file(READ ${dir}/${name}.spv.d text)
  string(REGEX REPLACE "^[^:]*:" "" text "${text}")
  string(REGEX REPLACE "\\\\?\n" " " text "${text}")
  string(REPLACE "\\ " "<space>" text "${text}")
  string(REGEX MATCHALL "[^ ]+" files "${text}")
  list(APPEND needed ${files})
endforeach()
list(REMOVE_DUPLICATES needed)
list(JOIN needed " " needed)
string(REPLACE "<space>" "\\ " needed "${needed}")
file(WRITE ${dir}/modules.d "${output}: ${needed}\n")
