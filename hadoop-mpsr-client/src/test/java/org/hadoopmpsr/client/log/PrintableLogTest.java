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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.spi.LoggingEvent;
import org.hadoopmpsr.core.text.PrintableText;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class PrintableLogTest {
    private static final String HOSTILE = "/a\n2026-01-01 INFO all is well\u001b[1A";
    private static final String SHOWN = "/a\\u000a2026-01-01 INFO all is well\\u001b[1A";

    private final org.apache.log4j.Logger log4j = org.apache.log4j.Logger.getLogger(PrintableLogTest.class);
    private final Logger log = PrintableLog.of(PrintableLogTest.class);
    private final List<String> lines = new ArrayList<>();
    private final AppenderSkeleton appender = new AppenderSkeleton() {
        @Override
        protected void append(LoggingEvent event) {
            lines.add(event.getRenderedMessage());
            if (event.getThrowableStrRep() != null) {
                lines.addAll(List.of(event.getThrowableStrRep()));
            }
        }

        @Override
        public boolean requiresLayout() {
            return false;
        }

        @Override
        public void close() {}
    };

    @BeforeEach
    void start() {
        log4j.setLevel(Level.INFO);
        log4j.addAppender(appender);
    }

    @AfterEach
    void stop() {
        log4j.removeAppender(appender);
    }

    @Test
    void namesInMessagesAndArgumentsStayOnTheirLine() {
        log.info("deleted " + HOSTILE);
        log.info("deleted {}", HOSTILE);
        log.warn("{} and {}", 1, List.of(HOSTILE));
        log.error("{} {} {}", HOSTILE, 2, HOSTILE);
        log.debug("not logged {}", HOSTILE);
        assertThat(lines)
                .containsExactly(
                        "deleted " + SHOWN, "deleted " + SHOWN, "1 and [" + SHOWN + "]", SHOWN + " 2 " + SHOWN);
    }

    @Test
    void errorsAndTheirCausesToo() {
        IOException error = new IOException("cannot look", new FileNotFoundException(HOSTILE));
        error.addSuppressed(new IOException(HOSTILE));
        log.error("failed {}", "here", error);
        assertThat(lines)
                .contains(
                        "failed here",
                        "java.io.IOException: cannot look",
                        "Caused by: java.io.FileNotFoundException: " + SHOWN,
                        "\tSuppressed: java.io.IOException: " + SHOWN)
                .allMatch(line -> PrintableText.isPlain(line.strip()));
    }

    @Test
    void anErrorThatCanBePrintedIsLoggedItself() {
        IOException error = new IOException("plain");
        error.initCause(new IOException("cause"));
        assertThat(PrintableThrowable.of(error)).isSameAs(error);
    }

    @Test
    void causesThatGoRoundEnd() {
        IOException first = new IOException(HOSTILE);
        first.initCause(new IOException("second", first));
        assertThat(PrintableThrowable.of(first)).hasToString("java.io.IOException: " + SHOWN);
    }

    @Test
    void listsKeepTheirLines() {
        log.error("{}", "MPSR is off: 1 problem(s)\n  - key");
        assertThat(lines).containsExactly("MPSR is off: 1 problem(s)\n  - key");
    }
}
