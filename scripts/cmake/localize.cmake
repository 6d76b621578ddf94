# Run while installing: replaces ${archive} by one object of all its members and those of ${with}. Its only global names
# are the visible ones or, unless ${keep} is `visible`, those of them that match ${keep}.
set(object ${archive}.o)
execute_process(COMMAND ${linker} -r -o ${object} --whole-archive ${archive} ${with} COMMAND_ERROR_IS_FATAL ANY)
set(names --localize-hidden --wildcard --localize-symbol=reprise_*) # images of kernels are visible, for the tests
if(NOT keep STREQUAL visible)
  list(APPEND names --keep-global-symbol=${keep})
endif()
execute_process(COMMAND ${objcopy} ${names} ${object} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${archive})
execute_process(COMMAND ${ar} rcs ${archive} ${object} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${object})
