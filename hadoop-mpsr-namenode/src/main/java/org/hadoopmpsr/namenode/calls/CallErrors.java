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
package org.hadoopmpsr.namenode.calls;

import java.io.IOException;
import org.apache.hadoop.ipc.RetriableException;
import org.hadoopmpsr.client.OversizeMessageException;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.slf4j.Logger;

/**
 * Turns whatever ends a call to MPSR into a refusal of this call. An error that reaches Hadoop's handler ends the
 * handler's thread.
 */
final class CallErrors {
    private static final Logger LOG = PrintableLog.of(CallErrors.class);

    private final Counters counters;

    CallErrors(Counters counters) {
        this.counters = counters;
    }

    /** What the caller is told, in printable form. Errors that nobody expects are logged. */
    IOException refusal(String call, Throwable error) {
        return PrintableErrors.of(told(call, error));
    }

    private IOException told(String call, Throwable error) {
        if (error instanceof RetriableException busy) {
            counters.increment(Counter.BUSY_CALLS);
            return busy;
        }
        if (error instanceof IOException refused) {
            if (refused instanceof OversizeMessageException) {
                counters.increment(Counter.REFUSED_CALLS);
            }
            return refused;
        }
        counters.increment(Counter.ERRORS);
        if (error instanceof OutOfMemoryError) {
            LOG.error("MPSR refused a call ({}), for which the NameNode has too little memory", call);
            return new IOException("the NameNode has too little memory for this call to MPSR (" + call
                    + "); ask for less at a time, or raise the NameNode's heap");
        }
        if (error instanceof StackOverflowError) {
            LOG.error("MPSR refused a call ({}), whose parts nest too deeply", call);
            return new IOException("the parts of this call to MPSR (" + call + ") nest too deeply");
        }
        LOG.error("MPSR refused a call ({}) because of an unexpected error", call, error);
        return new IOException("the NameNode could not carry out this call to MPSR (" + call
                + ") because of an unexpected error, " + error.getClass().getName() + "; see the NameNode's log");
    }
}
