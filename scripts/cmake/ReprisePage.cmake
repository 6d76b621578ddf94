# The page that shows graphs: npm installs esbuild, at the version of the lock file, into the build folder; esbuild
# bundles graphs/view/page; the page is embedded under the name rp_view_page. Without Node.js and npm, the library does
# not have it.
option(REPRISE_PAGE "Build the page that shows graphs (needs Node.js and npm)" ${PROJECT_IS_TOP_LEVEL})
set(page_source ${PROJECT_SOURCE_DIR}/graphs/view/page)
set(page_dir ${PROJECT_BINARY_DIR}/view)
set(page_html "")
file(MAKE_DIRECTORY ${page_dir})
if(REPRISE_PAGE)
  find_program(REPRISE_NODE node)
  find_program(REPRISE_NPM npm)
  set(page_why "")
  if(NOT REPRISE_NODE OR NOT REPRISE_NPM)
    set(page_why "Node.js and npm were not found: apt-get install nodejs npm")
  else()
    file(SHA256 ${page_source}/package-lock.json page_lock)
    if(NOT EXISTS ${page_dir}/installed-${page_lock})
      file(COPY ${page_source}/package.json ${page_source}/package-lock.json DESTINATION ${page_dir})
      execute_process(COMMAND ${REPRISE_NPM} ci --no-audit --no-fund --loglevel=error WORKING_DIRECTORY ${page_dir}
        INPUT_FILE /dev/null OUTPUT_QUIET ERROR_VARIABLE page_log RESULT_VARIABLE page_failed TIMEOUT 120)
      if(page_failed)
        string(REGEX REPLACE "\n.*" "" page_log "${page_log}")
        set(page_why "npm could not install esbuild (${page_log})")
      else()
        file(TOUCH ${page_dir}/installed-${page_lock})
      endif()
    endif()
  endif()
  if(page_why)
    message(STATUS "The page of `reprise view` is left out: ${page_why}. JSON, DOT and SVG need neither.")
  else()
    set(page_html ${page_dir}/page.html)
    file(GLOB page_parts CONFIGURE_DEPENDS ${page_source}/*)
    add_custom_command(OUTPUT ${page_html}
      COMMAND ${REPRISE_NODE} ${page_source}/build.mjs ${page_dir} ${page_html} ${PROJECT_VERSION}
      DEPENDS ${page_parts} COMMENT "bundling the page of reprise view" VERBATIM)
  endif()
endif()
set(page_include "")
if(page_html)
  set(page_include ".incbin \\\"${page_html}\\\"\\n")
endif()
file(CONFIGURE OUTPUT ${page_dir}/embedded.c CONTENT [[/* Generated: embeds the page of reprise view. */
__asm__(".pushsection .rodata\n.globl rp_view_page, rp_view_page_end\n.hidden rp_view_page, rp_view_page_end\n"
        "rp_view_page:\n@page_include@rp_view_page_end:\n.byte 0\n.popsection\n");
extern const char rp_view_page[];
]] @ONLY)
if(page_html)
  set_source_files_properties(${page_dir}/embedded.c PROPERTIES OBJECT_DEPENDS ${page_html})
endif()
