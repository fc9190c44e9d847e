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

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.EnumSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.servlet.DispatcherType;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.eclipse.jetty.servlet.FilterHolder;
import org.eclipse.jetty.servlet.ServletHandler;

/** Between MPSR and WebHDFS: keeps a call that was answered from returning to MPSR until this is closed. */
final class LateReturns implements Filter, AutoCloseable {
    private final CountDownLatch closed = new CountDownLatch(1);

    static LateReturns install(TestCluster cluster) throws Exception {
        ServletHandler handler = new MpsrNamesystem(cluster.mini().getNameNode())
                .http()
                .getWebAppContext()
                .getServletHandler();
        LateReturns late = new LateReturns();
        FilterHolder holder = new FilterHolder(late);
        holder.setAsyncSupported(true);
        handler.addFilterWithMapping(holder, "/webhdfs/v1/*", EnumSet.of(DispatcherType.REQUEST));
        holder.start();
        holder.initialize();
        return late;
    }

    @Override
    public void init(FilterConfig config) {}

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request, response);
        response.flushBuffer();
        try {
            closed.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            throw new InterruptedIOException();
        }
    }

    @Override
    public void destroy() {}

    @Override
    public void close() {
        closed.countDown();
    }
}
