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
package org.hadoopmpsr.namenode;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** All that MPSR's classes log, debugging included, from its start to its end. */
final class LogLines extends AppenderSkeleton implements AutoCloseable {
    private final Logger logger = Logger.getLogger("org.hadoopmpsr");
    private final Level before = logger.getLevel();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private LogLines() {}

    static LogLines start() {
        LogLines lines = new LogLines();
        lines.logger.setLevel(Level.DEBUG);
        lines.logger.addAppender(lines);
        return lines;
    }

    List<String> lines() {
        return lines;
    }

    @Override
    protected void append(LoggingEvent event) {
        String[] stack = event.getThrowableStrRep();
        lines.add(event.getRenderedMessage() + (stack == null ? "" : " " + String.join(" ", stack)));
    }

    @Override
    public boolean requiresLayout() {
        return false;
    }

    /** Called a second time by the garbage collector, unless the appender says that it is closed. */
    @Override
    public void close() {
        closed = true;
        logger.removeAppender(this);
        logger.setLevel(before);
    }
}
