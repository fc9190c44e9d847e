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
package org.hadoopmpsr.ingest;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** All that this process logs at any level, libraries included, from its start to its end. */
public final class AllLogs extends AppenderSkeleton implements AutoCloseable {
    private final Logger root = Logger.getRootLogger();
    private final Level before = root.getLevel();
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    public static AllLogs start() {
        AllLogs logs = new AllLogs();
        logs.root.setLevel(Level.TRACE);
        logs.root.addAppender(logs);
        return logs;
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    protected void append(LoggingEvent event) {
        String[] stack = event.getThrowableStrRep();
        lines.add(event.getLevel() + " " + event.getLoggerName() + ": " + event.getRenderedMessage()
                + (stack == null ? "" : " " + String.join(" ", stack)));
    }

    @Override
    public boolean requiresLayout() {
        return false;
    }

    /** Called a second time by the garbage collector, unless the appender says that it is closed. */
    @Override
    public void close() {
        closed = true;
        root.removeAppender(this);
        root.setLevel(before);
    }
}
