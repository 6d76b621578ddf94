# Run while installing: replaces ${archive} by one whose only global names are the public ones.
set(object ${archive}.o)
execute_process(COMMAND ${linker} -r -o ${object} --whole-archive ${archive} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${objcopy} --localize-hidden ${object} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${archive})
execute_process(COMMAND ${ar} rcs ${archive} ${object} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${object})
