/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.client.log;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import org.hadoopmpsr.core.text.PrintableText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loggers that write names and messages of others in printable form, so that nobody who names a file forges a line of a
 * log. As {@link PrintableText#ofMessage} says, lists keep their lines; stack traces keep them, too.
 */
public final class PrintableLog {

    private PrintableLog() {}

    /** The logger of a class. Thread-safe, as all loggers. */
    public static Logger of(Class<?> type) {
        Logger logger = LoggerFactory.getLogger(type);
        return (Logger) Proxy.newProxyInstance(
                PrintableLog.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(logger, printable(method, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Object @Nullable [] printable(Method method, Object @Nullable [] arguments) {
        if (arguments == null) {
            return null;
        }
        Class<?>[] types = method.getParameterTypes();
        Object[] printable = new Object[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            printable[i] = types[i] == Object[].class
                    ? Arrays.stream((Object[]) arguments[i])
                            .map(PrintableLog::printable)
                            .toArray()
                    : types[i] == String.class || types[i] == Object.class || types[i] == Throwable.class
                            ? printable(arguments[i])
                            : arguments[i];
        }
        return printable;
    }

    private static @Nullable Object printable(@Nullable Object argument) {
        if (argument instanceof Throwable thrown) {
            return PrintableThrowable.of(thrown);
        }
        if (argument instanceof String text) {
            return PrintableText.ofMessage(text);
        }
        return argument == null || argument instanceof Number ? argument : new Shown(argument);
    }

    /** An argument, which becomes text only if it is logged. */
    private record Shown(Object value) {
        @Override
        public String toString() {
            return PrintableText.ofMessage(String.valueOf(value));
        }
    }
}
