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
package org.hadoopmpsr.namenode.listing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;

/**
 * Holds an answer back until it is released, so that it can be made once more. An answer that is too large goes out before, but
 * for its last byte. For one thread.
 */
final class HeldResponse extends HttpServletResponseWrapper {
    private final int most;
    private final List<Runnable> head = new ArrayList<>();
    private ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status = SC_OK;
    private boolean out;

    /** @param most the bytes that are held back */
    HeldResponse(HttpServletResponse response, int most) {
        super(response);
        this.most = most;
    }

    /** Whether a part of it has gone out. */
    boolean isOut() {
        return out;
    }

    /** Lets the answer go out, with what is held back before and after it. */
    void release(byte[] before, byte[] after) throws IOException {
        startOut();
        super.getOutputStream().write(before);
        body.writeTo(super.getOutputStream());
        super.getOutputStream().write(after);
    }

    private void startOut() {
        if (!out) {
            head.forEach(Runnable::run);
            out = true;
        }
    }

    private void write(byte[] bytes, int offset, int length) throws IOException {
        body.write(bytes, offset, length);
        if (body.size() > most || out && body.size() > 1) {
            startOut();
            byte[] all = body.toByteArray();
            super.getOutputStream().write(all, 0, all.length - 1);
            body = new ByteArrayOutputStream();
            body.write(all, all.length - 1, 1);
        }
    }

    @Override
    public ServletOutputStream getOutputStream() {
        return new ServletOutputStream() {
            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setWriteListener(WriteListener listener) {
                throw new UnsupportedOperationException("a held answer is written at once");
            }

            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                HeldResponse.this.write(bytes, offset, length);
            }
        };
    }

    @Override
    public void flushBuffer() {}

    @Override
    public boolean isCommitted() {
        return out;
    }

    @Override
    public int getStatus() {
        return status;
    }

    @Override
    public void setStatus(int code) {
        status = code;
        head.add(() -> super.setStatus(code));
    }

    @Override
    public void setHeader(String name, String value) {
        head.add(() -> super.setHeader(name, value));
    }

    @Override
    public void addHeader(String name, String value) {
        head.add(() -> super.addHeader(name, value));
    }

    @Override
    public void setContentType(String type) {
        head.add(() -> super.setContentType(type));
    }

    @Override
    public void setContentLength(int length) {} // others decide how long it becomes

    @Override
    public void setContentLengthLong(long length) {}
}
