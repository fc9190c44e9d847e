/** Assignment: which node reads which part of the data, near to where it lies and with even load. */
package org.hadoopmpsr.core.assign;
